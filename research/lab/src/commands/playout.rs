//! `research playout`: the playout delay that adapts, beside the fixed one of the same mean age.

use clap::Args;
use snapshot_research::playout::{CountedTicks, PlayedRuns, compare};
use snapshot_settings::link_presets::LINK_PRESETS;
use snapshot_settings::permalink;

/// Play small packets with a delay that adapts, and with the fixed one of the same mean age, on each preset of the link.
///
/// There are 60 packets of 100 bytes a second, with the counted header, in eight runs of a minute. Of each way a row has the
/// time in ms a minute in ticks that play less than a quarter of a tick, the runs of such ticks a minute, and the root of the
/// mean square of speed less one.
#[derive(Args)]
pub(crate) struct Playout {
    /// Seconds before ticks count.
    #[arg(long, default_value_t = 0)]
    from: u32,
}

impl Playout {
    /// Prints a row for each preset.
    pub(crate) fn execute(&self) {
        let span = CountedTicks {
            from_s: self.from,
            seconds: 60,
            seeds: 8,
        };
        println!("preset\tage ms\tadaptive\tfixed ms\tfixed");
        for preset in LINK_PRESETS {
            let (settings, _) = permalink::parse(&format!("hz=60&link={}", preset.id));
            let compared = compare(&settings, span);
            println!(
                "{}\t{:.0}\t{}\t{:.0}\t{}",
                preset.id,
                compared.adaptive.age_ms,
                describe(&compared.adaptive),
                compared.fixed_delay_ms,
                describe(&compared.fixed)
            );
        }
    }
}

fn describe(played: &PlayedRuns) -> String {
    format!(
        "{:.0}, {:.1}, {:.2}",
        played.still_ms_per_minute, played.freezes_per_minute, played.speed_rms
    )
}
