//! Command `snapshot-lab link`: the simulated link alone.

use crate::output::ResultForm;
use crate::run::settings;
use crate::table::{number, table};
use crate::trace::{self, TraceFile};
use clap::{Args, Subcommand};
use snapshot_analysis::link_fit::fitted;
use snapshot_analysis::link_probe::{LinkProbe, probe};
use snapshot_app::link;
use snapshot_netsim::channel::LinkInputs;
use snapshot_settings::permalink;
use std::path::PathBuf;
use std::process::ExitCode;

/// Look at a link by itself, without a motion.
#[derive(Args)]
pub(crate) struct LinkArguments {
    #[command(subcommand)]
    command: LinkCommand,
}

#[derive(Subcommand)]
enum LinkCommand {
    Show(ShowArguments),
    Fit(FitArguments),
}

/// Send small packets over a link, and tell their delays and losses.
///
/// There are 60 packets of 100 bytes a second, with the counted header. `delay_ms` (min, p50, p95, p99, max) is over the packets
/// that arrive. `lost` counts all others, `lost_by_queue` those of them that found the bottleneck's queue full. `mean_burst`
/// is the mean number of packets lost in a row.
#[derive(Args)]
struct ShowArguments {
    /// Permalink, or its fragment, such as "#link=wifi-busy".
    link: String,
    /// Seconds to send.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    #[command(flatten)]
    trace: TraceFile,
    #[command(flatten)]
    form: ResultForm,
}

/// Find the model that is nearest to a trace: latency, shape and scale of the jitter, correlation, loss and bursts.
///
/// The file has rows of sent_ms,delay_ms or the output of ping. `link` is the model as a fragment. `distance` is the mean
/// absolute difference, in ms, between 1,000 quantiles of the trace's delays and those of the model (Wasserstein's distance).
/// A fit sees one way alone, and neither a bottleneck nor stalls.
#[derive(Args)]
struct FitArguments {
    /// The trace.
    file: PathBuf,
    #[command(flatten)]
    form: ResultForm,
}

impl LinkArguments {
    pub(crate) fn execute(self) -> Result<ExitCode, String> {
        match self.command {
            LinkCommand::Show(show) => show.execute()?,
            LinkCommand::Fit(fit) => fit.execute()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl ShowArguments {
    fn execute(self) -> Result<(), String> {
        let settings = settings(&self.link);
        let given = LinkInputs {
            trace: self.trace.read(&link::parse(&self.link).0)?,
            ..LinkInputs::default()
        };
        let probed = probe(&settings, &given, self.seconds);
        self.form.print(&probed, |probed| {
            println!("#{}\n", permalink::format(&settings));
            print(probed);
        });
        Ok(())
    }
}

impl FitArguments {
    fn execute(self) -> Result<(), String> {
        let trace = trace::read(&self.file)?;
        eprintln!("note: {}: {}", self.file.display(), trace.told());
        let (settings, fit) = fitted(trace.delays());
        let link = permalink::format(&settings);
        let fitted = serde_json::json!({ "link": link, "distance": fit.distance_ms });
        self.form.print(&fitted, |_| {
            println!("#{link}\n\ndistance {} ms", number(fit.distance_ms, 2));
        });
        Ok(())
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
