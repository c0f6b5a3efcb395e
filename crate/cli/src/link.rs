//! Command `snapshot-lab link`: the simulated link by itself, without a motion.

use crate::output::ResultForm;
use crate::table::number;
use crate::trace;
use clap::{Args, Subcommand};
use snapshot_analysis::link_fit::fitted;
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
    Fit(FitArguments),
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
            LinkCommand::Fit(fit) => fit.execute()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl FitArguments {
    fn execute(self) -> Result<(), String> {
        let trace = trace::read(&self.file)?;
        eprintln!("note: {}: {}", self.file.display(), trace.description());
        let (settings, fit) = fitted(trace.delays());
        let link = permalink::format(&settings);
        let fitted = serde_json::json!({ "link": link, "distance": fit.distance_ms });
        self.form.print(&fitted, |_| {
            println!("#{link}\n\ndistance {} ms", number(fit.distance_ms, 2));
        });
        Ok(())
    }
}
