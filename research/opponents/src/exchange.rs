//! The packets that every codec has to send: which snapshot, against which baseline, and whether it arrives.

use snapshot_codec::{Bounds, Class, Cube, CubeState, Format, Life, QuantisationBits, Rung};
use snapshot_lane::schedule::Schedule;
use snapshot_netsim::channel::LinkInputs;
use snapshot_record::challenge::{self as challenge, INTERVAL};
use snapshot_record::motion::Motion;
use snapshot_record::tape::Tape;
use snapshot_settings::permalink;

/// Ticks for which snapshots are held as baselines.
pub const HELD_TICKS: u64 = 256;
/// Ticks that the rungs take for the age of the initial snapshot.
const INITIAL_TICKS: u64 = 6;

/// A packet to be sent.
#[derive(Clone, Debug)]
pub struct Step {
    /// The snapshot's tick.
    pub tick: u64,
    /// The tick of its baseline. None is the initial snapshot.
    pub baseline: Option<u64>,
    /// False where the network loses it.
    pub arrives: bool,
    /// The snapshot.
    pub cubes: Vec<Cube>,
}

impl Step {
    /// Ticks since the baseline.
    pub fn ticks(&self) -> u16 {
        let ticks = self
            .baseline
            .map_or(INITIAL_TICKS, |baseline| self.tick - baseline);
        ticks.min(HELD_TICKS) as u16
    }
}

/// All packets of a motion over one network. A packet has no header: both ends know tick and baseline.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The format of the snapshots, with a rung that codecs of ours replace by theirs.
    pub format: Format,
    /// Packets a second.
    pub rate_hz: u32,
    /// The snapshot that both ends have before the first packet.
    pub initial: Vec<Cube>,
    /// Snapshots that both ends also have, by tick: the first frames of a capture.
    pub known: Vec<(u64, Vec<Cube>)>,
    /// The packets, by rising tick.
    pub steps: Vec<Step>,
}

impl Exchange {
    /// The challenge of 2015: frame n against frame n - 6, and nothing is lost.
    pub fn of_capture(frames: &[Vec<Cube>]) -> Exchange {
        let format = challenge::format(Rung::ChangedFlags, Class::Strict);
        let with_ticks = (0..).zip(frames.iter().cloned());
        let (known, sent): (Vec<_>, Vec<_>) =
            with_ticks.partition(|&(tick, _)| tick < INTERVAL as u64);
        let steps = sent.into_iter().map(|(tick, cubes)| Step {
            tick,
            baseline: Some(tick - INTERVAL as u64),
            arrives: true,
            cubes,
        });
        Exchange {
            format: format.expect("the challenge's format is one"),
            rate_hz: 60,
            initial: frames[0].clone(),
            known,
            steps: steps.collect(),
        }
    }

    /// A motion over the network of a link, such as `#hz=20&loss=5`: rate, delays, losses and acknowledgements are those of a lane.
    ///
    /// # Errors
    /// When the link has parts that cannot be used.
    pub fn of_motion(motion: &Motion, link: &str) -> Result<Exchange, String> {
        let (settings, notices) = permalink::parse(link);
        if let Some(notice) = notices.first() {
            return Err(notice.to_string());
        }
        let tape = Tape::of_motion(motion, motion.ticks());
        let session_config = tape.session_config();
        let format = format_of(motion, &session_config.bounds)?;
        let quantised =
            |states: &[CubeState]| states.iter().map(|cube| format.quantise(cube)).collect();
        let lane = settings.lane().at(tape.tick_rate());
        let mut schedule = Schedule::new(&lane, &LinkInputs::default());
        (1..=tape.last_tick()).for_each(|tick| schedule.advance(tick, false));
        let mut truth = Vec::new();
        let mut steps = Vec::new();
        for packet in schedule.packets() {
            if !tape.read_truth(packet.tick, &mut truth) {
                return Err(format!("tick {} of the motion is not held", packet.tick));
            }
            steps.push(Step {
                tick: packet.tick,
                baseline: packet.baseline_tick,
                arrives: packet.sent.arrival_ms.is_some(),
                cubes: quantised(&truth),
            });
        }
        let initial = quantised(&session_config.initial);
        let mut cubes = steps.iter().flat_map(|step| &step.cubes).chain(&initial);
        let has_slots = cubes.any(|cube| cube.life != Life::FIRST);
        Ok(Exchange {
            format: format
                .with_slots(has_slots)
                .map_err(|error| error.to_string())?,
            rate_hz: lane.send_rate_hz(),
            initial,
            known: Vec::new(),
            steps,
        })
    }

    /// The snapshot of a tick of the exchange, or the initial one.
    pub fn snapshot(&self, tick: Option<u64>) -> &[Cube] {
        let Some(tick) = tick else {
            return &self.initial;
        };
        let known = self.known.iter().find(|(known, _)| *known == tick);
        known.map_or_else(
            || {
                let place = self.steps.binary_search_by_key(&tick, |step| step.tick);
                &self.steps[place.expect("a baseline is a packet's snapshot")].cubes[..]
            },
            |(_, cubes)| cubes,
        )
    }
}

/// Captures have a player, other motions have none.
fn format_of(motion: &Motion, bounds: &Bounds) -> Result<Format, String> {
    let format = Format::new(
        Rung::ChangedFlags,
        QuantisationBits::DEFAULT,
        motion.objects(),
    );
    let player = motion.is_capture().then_some(0);
    let format = format.and_then(|format| format.with_bounds(*bounds)?.with_player(player));
    format.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A motion of two objects over four seconds, as text.
    fn motion() -> Motion {
        let rows = (0..240).flat_map(|tick| {
            let x = 0.05 * f64::from(tick);
            [
                format!("{tick},0,{x},0,0.5,0,0,0,1"),
                format!("{tick},1,3,{x},0.5,0,0,0,1"),
            ]
        });
        let text: Vec<_> = std::iter::once("tick,object,x,y,z,qx,qy,qz,qw".to_owned())
            .chain(rows)
            .collect();
        Motion::read(text.join("\n").as_bytes()).unwrap()
    }

    #[test]
    fn packets_of_a_motion_have_the_rate_and_the_losses_of_their_link() {
        let of = |link: &str| Exchange::of_motion(&motion(), link).unwrap();
        let whole = of("#hz=20&loss=0&jitter=0");
        assert_eq!((whole.rate_hz, whole.initial.len()), (20, 2));
        assert!((78..=80).contains(&whole.steps.len()));
        assert!(whole.steps.iter().all(|step| step.arrives));
        // The first are told against the initial snapshot, later ones against what was acknowledged in time.
        assert_eq!(whole.steps[0].baseline, None);
        let last = whole.steps.last().unwrap();
        assert!(last.baseline.is_some_and(|baseline| baseline < last.tick));
        let lossy = of("#hz=20&loss=50&jitter=0");
        let lost: Vec<u64> = lossy
            .steps
            .iter()
            .filter(|step| !step.arrives)
            .map(|step| step.tick)
            .collect();
        assert!((20..60).contains(&lost.len()), "{}", lost.len());
        let baselines = lossy.steps.iter().filter_map(|step| step.baseline);
        assert!(
            baselines
                .into_iter()
                .all(|baseline| !lost.contains(&baseline))
        );
        assert!(Exchange::of_motion(&motion(), "#hz=fast").is_err());
    }
}
