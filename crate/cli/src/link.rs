//! `snapshot-lab link`: the simulated link by itself.

use crate::run::settings;
use crate::table::{number, table};
use clap::{Args, Subcommand};
use snapshot_lab::analysis::link_probe::{LinkProbe, probe};
use snapshot_lab::settings::permalink;
use snapshot_netsim::channel::Given;
use std::process::ExitCode;

/// Look at a link by itself, without a motion.
#[derive(Args)]
pub(crate) struct Link {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Show(Show),
}

/// Send small packets over a link, and tell their delays and losses.
///
/// There are 60 packets of 100 bytes a second, with the counted header. `delay_ms` (min, p50, p95, p99, max) is over the packets
/// that arrive. `lost` counts all others, `lost_by_queue` those of them that found the bottleneck's queue full. `mean_burst`
/// is the mean number of packets lost in a row.
#[derive(Args)]
struct Show {
    /// Permalink, or its fragment, such as "#link=wifi-busy".
    link: String,
    /// Seconds to send.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Link {
    /// Does as the subcommand says.
    pub(crate) fn execute(self) -> ExitCode {
        match self.command {
            Command::Show(show) => show.execute(),
        }
    }
}

impl Show {
    fn execute(self) -> ExitCode {
        let settings = settings(&self.link);
        let probed = probe(&settings, &Given::default(), self.seconds);
        if self.json {
            let json = serde_json::to_string_pretty(&probed);
            println!("{}", json.expect("a probe has only numbers"));
        } else {
            println!("#{}\n", permalink::format(&settings));
            print(&probed);
        }
        ExitCode::SUCCESS
    }
}

fn print(probed: &LinkProbe) {
    let delay = |of: fn(&_) -> f64| number(probed.delay_ms.as_ref().map(of), 1);
    let rows = [
        ("packets", probed.packets.to_string()),
        ("delay ms, min", delay(|it| it.min)),
        ("p50", delay(|it| it.p50)),
        ("p95", delay(|it| it.p95)),
        ("p99", delay(|it| it.p99)),
        ("max", delay(|it| it.max)),
        ("lost", probed.lost.to_string()),
        ("lost by queue", probed.lost_by_queue.to_string()),
        ("mean burst", number(probed.mean_burst, 2)),
    ];
    let rows = rows.map(|(figure, value)| vec![figure.to_string(), value]);
    println!("{}", table(&["figure", "value"], 1, rows.into_iter()));
}
