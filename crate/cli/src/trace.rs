//! Option `--trace FILE`: a recorded link in place of the modelled link.

use crate::files;
use clap::Args;
use snapshot_app::link::Link;
use snapshot_netsim::trace::{BYTES_MAX, Trace};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments that choose a trace file.
#[derive(Args)]
pub(crate) struct TraceFile {
    /// Send over this recorded link: rows of sent_ms,delay_ms (or lost), or the output of ping. It repeats. Its
    /// delays replace those of the link and its loss, both ways.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Begin so many seconds into the recorded link, to the millisecond: the link's trace-from without it.
    #[arg(long = "trace-from", value_name = "SECONDS", requires = "trace", value_parser = seconds)]
    trace_from: Option<f64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is a number of seconds")?;
    match seconds >= 0.0 && seconds.is_finite() {
        true => Ok(seconds),
        false => Err("it is 0 or more".to_string()),
    }
}

impl TraceFile {
    /// Reads the trace file; `None` if no file is named. The page's link may name another trace, or an offset into the trace.
    /// Remarks go to stderr.
    ///
    /// # Errors
    /// When the file is not a trace.
    pub(crate) fn read(&self, link: &Link) -> Result<Option<Arc<Trace>>, String> {
        let asked = link.trace;
        let Some(path) = &self.trace else {
            if let Some(asked) = asked {
                eprintln!(
                    "note: the link is of a trace ({asked:08x}), which no link can carry: name its file with --trace. Without it the model is used"
                );
            }
            return Ok(None);
        };
        let trace = read(path)?;
        eprintln!("note: {}: {}", path.display(), trace.description());
        if let Some(asked) = asked.filter(|asked| *asked != trace.fingerprint()) {
            let own = trace.fingerprint();
            eprintln!("note: the link is of another trace ({asked:08x}); this is {own:08x}");
        }
        let is_asked_for = asked == Some(trace.fingerprint());
        let of_link_ms = if is_asked_for { link.trace_from_ms } else { 0 };
        let own_ms = self.trace_from.map(|seconds| (seconds * 1000.0).round());
        Ok(Some(Arc::new(
            trace.from_ms(own_ms.unwrap_or(of_link_ms as f64)),
        )))
    }
}

pub(crate) fn read(path: &Path) -> Result<Trace, String> {
    let bytes = files::read(path, BYTES_MAX as u64)?;
    Trace::read(&bytes).map_err(|error| files::fault(path, error))
}
