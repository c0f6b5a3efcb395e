//! Command `snapshot-lab inspect`: one packet, field by field.

use crate::cut::SECONDS_MAX;
use crate::motion::{MotionFile, MotionSource};
use crate::output::ResultForm;
use crate::progress;
use crate::run::settings;
use crate::table::{number, table};
use crate::trace::TraceFile;
use clap::Args;
use snapshot_app::Lab;
use snapshot_app::lane_run::LaneId;
use snapshot_app::link;
use snapshot_base::time::TICKS_PER_S;
use snapshot_codec::BIT_65536THS;
use snapshot_lane::inspect::{Field, Inspection};
use snapshot_physics::Input;
use std::process::ExitCode;

const TICKS_MAX: u64 = SECONDS_MAX as u64 * TICKS_PER_S as u64;

/// Tell of one packet of a permalink, field by field.
///
/// `number` counts packets, `tick` is the one in which the packet left, and `baseline` the sequence that it is encoded
/// against (null: the initial snapshot, or none). `fate` is delivered, lost, late, overtaken, in_flight, refused or passed_over (with
/// lockstep: inputs before it are missing), as of the tick. `arrival_ms` is null if the packet is lost; `acked_tick` is
/// null if its sender has no ack of it. `spans` are the fields in the packet's order. Each has its start and length in
/// 1/65,536 bits, the account of its bits, the rule of FORMAT.md and its cube (or null). Each also says its value and, with
/// an arithmetic coder, its decisions. The lengths sum up to the packet's size.
#[derive(Args)]
pub(crate) struct InspectArguments {
    /// A permalink or its fragment, such as "#hz=60&loss=5"; "" for the defaults.
    link: String,
    /// Ticks since the scene began, by which the packet has left; those of the simulated scenes are 1/60 s.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=TICKS_MAX))]
    tick: u64,
    /// The packet's number; without it the newest by that tick.
    #[arg(long)]
    packet: Option<u64>,
    #[command(flatten)]
    motion: MotionFile,
    #[command(flatten)]
    trace: TraceFile,
    #[command(flatten)]
    form: ResultForm,
}

impl InspectArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        let (link, _) = link::parse(&self.link);
        let time = |_| (0, self.tick);
        let opened = MotionSource::new(settings(&self.link), &link, &self.motion, time)?;
        if opened.until < self.tick {
            return Err("the motion is over by that tick".to_string());
        }
        let mut lab = match opened.motion {
            Some(_) => Lab::of_motion(opened.tape(), opened.settings, 0),
            None => Lab::new(opened.settings),
        };
        lab.set_trace(self.trace.read(&link)?);
        let bar = progress::bar(self.tick, "ticks");
        for _ in 0..self.tick {
            lab.tick(Input::NONE);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let inspection = lab.inspect(LaneId::A, self.tick, self.packet);
        let inspection = inspection.map_err(|error| error.to_string())?;
        self.form.print(&inspection, print);
        Ok(ExitCode::SUCCESS)
    }
}

fn print(inspection: &Inspection) {
    let packet = &inspection.packet;
    let baseline = packet
        .baseline
        .map_or("-".to_string(), |baseline| baseline.to_string());
    let fate = serde_json::to_value(packet.fate).expect("a name");
    println!(
        "packet {} of tick {}: sequence {}, baseline {baseline}, {} bytes, {}, arrives at {} ms",
        packet.number,
        packet.tick,
        packet.sequence,
        packet.bytes,
        fate.as_str().unwrap_or_default(),
        number(packet.arrival_ms, 1),
    );
    let bits = |spent: i64| number(spent as f64 / BIT_65536THS as f64, 3);
    let row = |field: &Field| {
        vec![
            field.kind.to_string(),
            field.rule.to_string(),
            field.cube.map_or(String::new(), |cube| cube.to_string()),
            field.value.to_string(),
            bits(field.first_65536ths),
            bits(field.length_65536ths),
        ]
    };
    let headings = ["kind", "rule", "cube", "value", "from bit", "bits"];
    println!("{}", table(headings, 2, inspection.spans.iter().map(row)));
}
