//! `research pile`: records the article's files again.

use clap::Args;
use snapshot_research::pile::files;
use std::path::PathBuf;

/// Record the motion of the article's figures, and the pictures of its two clients that simulate.
#[derive(Args)]
pub(crate) struct Pile {
    /// The folder that gets the files.
    #[arg(long, default_value = "www/article")]
    out: PathBuf,
}

impl Pile {
    pub(crate) fn execute(&self) -> Result<(), String> {
        for (name, bytes) in files().map_err(|error| error.to_string())? {
            let path = self.out.join(name);
            std::fs::write(&path, &bytes)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let fingerprint = snapshot_base::hash::fingerprint(&bytes);
            println!(
                "{name}: {} bytes, fingerprint {fingerprint:08x}",
                bytes.len()
            );
        }
        Ok(())
    }
}
