//! `research link`: delays and losses of small packets over a link.

use clap::Args;
use snapshot_research::link_probe::{ProbeDelays, probe};
use snapshot_settings::permalink;

/// Send small packets over a link, 60 a second, and tell their delays in ms and their losses.
#[derive(Args)]
pub(crate) struct Link {
    /// Permalink, or its fragment, such as "#link=wifi-busy".
    link: String,
    /// Seconds to send.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

impl Link {
    /// Prints a line of figures.
    pub(crate) fn execute(&self) {
        let (settings, notices) = permalink::parse(&self.link);
        notices
            .iter()
            .for_each(|notice| eprintln!("note: {notice}"));
        let probed = probe(&settings, self.seconds);
        if let Some(ProbeDelays {
            min,
            p50,
            p95,
            p99,
            max,
        }) = probed.delay_ms
        {
            println!("min {min:.1}, p50 {p50:.1}, p95 {p95:.1}, p99 {p99:.1}, max {max:.1} ms");
        }
        println!(
            "{} of {} packets lost, {} of them by the queue; bursts of {:.2}",
            probed.lost,
            probed.packets,
            probed.lost_by_queue,
            probed.mean_burst.unwrap_or_default()
        );
    }
}
