//! `research asteroids`: a recording of KinematicSoup's benchmark scene.

use clap::Args;
use snapshot_research::asteroids::{Asteroids, TICKS_PER_S};
use std::io::{self, Write};

/// Write the asteroids' motion as rows, 30 ticks a second, for the page or the ladder.
#[derive(Args)]
pub(crate) struct Recording {
    /// Seed of the scene.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Second from which on the motion is written.
    #[arg(long, default_value_t = 10)]
    from: u32,
    /// Seconds to write.
    #[arg(long, default_value_t = 4)]
    seconds: u32,
}

impl Recording {
    /// Prints the rows: positions to 1 mm, orientations to 0.0001.
    pub(crate) fn execute(&self) -> Result<(), String> {
        self.write(&mut io::stdout().lock())
            .map_err(|error| error.to_string())
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "rate=30\ntick,object,x,y,z,qx,qy,qz,qw")?;
        let mut scene = Asteroids::new(self.seed);
        (0..self.from * TICKS_PER_S).for_each(|_| scene.step());
        for tick in 0..self.seconds * 30 {
            (0..TICKS_PER_S / 30).for_each(|_| scene.step());
            for (object, state) in scene.states().iter().enumerate() {
                let ([x, y, z], [qx, qy, qz, qw]) = (state.position, state.orientation);
                writeln!(
                    out,
                    "{tick},{object},{x:.3},{y:.3},{z:.3},{qx:.4},{qy:.4},{qz:.4},{qw:.4}"
                )?;
            }
        }
        Ok(())
    }
}
