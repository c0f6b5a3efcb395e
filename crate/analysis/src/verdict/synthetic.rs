//! A synthetic motion made from a few numbers, for a first look without a recording. It is written as rows of a file and read
//! as every recorded motion is.

use serde::Serialize;
use snapshot_base::random::Stream;
use snapshot_record::motion::binary::MAGIC;
use snapshot_record::motion::{Motion, MotionError};

const TICK_RATE_HZ: u32 = 60;
const SECONDS: u32 = 8;
/// Side in metres of the square of ground that each object adds.
const ROOM_M: f64 = 5.0;
/// Random stream that the motion draws from its seed.
const USAGE: u32 = 0x0001_5ee7;

/// An input of a verdict's estimate, as a field of the page's form.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EstimateNumber {
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"objects\" | \"moving\" | \"speed\" | \"hz\" | \"mm\" | \"degrees\"")
    )]
    pub id: &'static str,
    pub label: &'static str,
    /// Unit of the number; empty for a count.
    pub unit: &'static str,
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// Initial value of the form.
    pub first: f64,
}

/// Numbers of the estimate, in the form's order. The last two are the greatest allowed errors.
#[rustfmt::skip]
pub const ESTIMATE_NUMBERS: [EstimateNumber; 6] = [
    EstimateNumber { id: "objects", label: "Objects", unit: "", min: 1.0, max: Synthetic::OBJECTS_MAX as f64, step: 1.0, first: 60.0 },
    EstimateNumber { id: "moving", label: "of them move", unit: "", min: 0.0, max: Synthetic::OBJECTS_MAX as f64, step: 1.0, first: 20.0 },
    EstimateNumber { id: "speed", label: "Speed", unit: "m/s", min: Synthetic::SPEED_MIN_M_S, max: Synthetic::SPEED_MAX_M_S, step: 0.1, first: 6.0 },
    EstimateNumber { id: "hz", label: "Packets a second", unit: "", min: 1.0, max: TICK_RATE_HZ as f64, step: 1.0, first: 20.0 },
    EstimateNumber { id: "mm", label: "Rounding at most", unit: "mm", min: 0.1, max: 100.0, step: 0.1, first: 2.0 },
    EstimateNumber { id: "degrees", label: "and", unit: "°", min: 0.01, max: 30.0, step: 0.01, first: 0.5 },
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synthetic {
    /// Number of objects, 1 to 1,000.
    pub objects: u32,
    /// Number of moving objects, at most all.
    pub moving: u32,
    /// Usual speed of moving objects in m/s, 0.1 to 50.
    pub speed_m_s: f64,
}

/// A moving object that drives about: turn rate and speed change now and then, always smoothly.
struct Driver {
    random: Stream,
    at_m: [f64; 2],
    heading: f64,
    turn: f64,
    wanted_turn: f64,
    speed: f64,
    wanted_speed: f64,
    ticks_left: u32,
}

impl Synthetic {
    pub const OBJECTS_MAX: u32 = 1000;
    pub const SPEED_MIN_M_S: f64 = 0.1;
    pub const SPEED_MAX_M_S: f64 = 50.0;

    /// Creates a motion from these numbers, limited to their ranges.
    pub fn new(objects: u32, moving: u32, speed_m_s: f64) -> Synthetic {
        let objects = objects.clamp(1, Self::OBJECTS_MAX);
        let speed_m_s = if speed_m_s.is_finite() {
            speed_m_s
        } else {
            1.0
        };
        Synthetic {
            objects,
            moving: moving.min(objects),
            speed_m_s: speed_m_s.clamp(Self::SPEED_MIN_M_S, Self::SPEED_MAX_M_S),
        }
    }

    /// Builds the motion.
    ///
    /// # Errors
    /// Passes on the reader's errors; none occurs with these numbers.
    pub fn motion(&self) -> Result<Motion, MotionError> {
        let side = libm::ceil(libm::sqrt(f64::from(self.objects)));
        let mut drivers: Vec<Driver> = (0..self.objects)
            .map(|index| {
                let at = [
                    f64::from(index) % side,
                    libm::floor(f64::from(index) / side),
                ];
                Driver::new(
                    index,
                    at.map(|at| (at - side / 2.0) * ROOM_M),
                    self.speed_m_s,
                )
            })
            .collect();
        let half_m = side * ROOM_M / 2.0 + self.speed_m_s;
        let mut file = File::new();
        for (index, driver) in drivers.iter().enumerate() {
            let (position, orientation) = driver.pose();
            file.row(0, index as u32, position, orientation);
        }
        for tick in 1..=SECONDS * TICK_RATE_HZ {
            for (index, driver) in drivers.iter_mut().take(self.moving as usize).enumerate() {
                driver.step(self.speed_m_s, half_m);
                let (position, orientation) = driver.pose();
                file.row(tick, index as u32, position, orientation);
            }
        }
        // A motion of things at rest has two ticks as well.
        if self.moving == 0 {
            let (position, orientation) = drivers[0].pose();
            file.row(SECONDS * TICK_RATE_HZ, 0, position, orientation);
        }
        Motion::read(&file.0[..])
    }
}

/// Bytes of a motion file: a header, then rows of positions and orientations.
struct File(Vec<u8>);

/// Version of the file format that has the tick rate in its header.
const VERSION: u32 = 2;
/// Flags of optional columns: none, so rows hold position and orientation alone.
const COLUMNS: u32 = 0;

impl File {
    fn new() -> File {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(
            [VERSION, COLUMNS, TICK_RATE_HZ]
                .map(u32::to_le_bytes)
                .concat(),
        );
        File(bytes)
    }

    fn row(&mut self, tick: u32, object: u32, position: [f32; 3], orientation: [f32; 4]) {
        self.0.extend([tick, object].map(u32::to_le_bytes).concat());
        self.0.extend(position.map(f32::to_le_bytes).concat());
        self.0.extend(orientation.map(f32::to_le_bytes).concat());
    }
}

impl Driver {
    fn new(index: u32, at_m: [f64; 2], speed: f64) -> Driver {
        let mut random = Stream::new(index, USAGE);
        let heading = random.between(-3.0, 3.0);
        Driver {
            at_m,
            heading,
            turn: 0.0,
            wanted_turn: 0.0,
            speed,
            wanted_speed: speed,
            ticks_left: random.integer(1, TICK_RATE_HZ),
            random,
        }
    }

    fn step(&mut self, usual_speed: f64, half_m: f64) {
        if self.ticks_left == 0 {
            self.ticks_left = self.random.integer(TICK_RATE_HZ / 4, 2 * TICK_RATE_HZ);
            self.wanted_turn = self.random.between(-1.5, 1.5);
            // One time in six it stops.
            let stops = self.random.unit() < 1.0 / 6.0;
            let speed = self.random.between(0.6, 1.4) * usual_speed;
            self.wanted_speed = if stops { 0.0 } else { speed };
        }
        self.ticks_left -= 1;
        self.turn += 0.1 * (self.wanted_turn - self.turn);
        self.speed += 0.1 * (self.wanted_speed - self.speed);
        let tick_s = 1.0 / f64::from(TICK_RATE_HZ);
        self.heading += self.turn * tick_s * (self.speed / usual_speed);
        let way = [libm::cos(self.heading), libm::sin(self.heading)];
        for (at, way) in self.at_m.iter_mut().zip(way) {
            *at = (*at + way * self.speed * tick_s).clamp(-half_m, half_m);
        }
    }

    /// Position and quaternion of the object. It leans into its turns, so that all components move.
    fn pose(&self) -> ([f32; 3], [f32; 4]) {
        let (half_yaw, half_lean) = (self.heading / 2.0, 0.05 * self.turn);
        let (yaw_sin, yaw_cos) = (libm::sin(half_yaw), libm::cos(half_yaw));
        let (lean_sin, lean_cos) = (libm::sin(half_lean), libm::cos(half_lean));
        let quaternion = [
            yaw_cos * lean_sin,
            yaw_sin * lean_sin,
            yaw_sin * lean_cos,
            yaw_cos * lean_cos,
        ];
        let [x, y] = self.at_m;
        (
            [x as f32, y as f32, 0.5],
            quaternion.map(|part| part as f32),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_record::tape::Tape;

    #[test]
    fn it_has_the_objects_and_the_speed_that_are_asked_for_and_is_always_the_same() {
        let made = Synthetic::new(20, 5, 8.0);
        let motion = made.motion().unwrap();
        assert_eq!((motion.objects(), motion.seconds()), (20, 8.0));
        assert_eq!(
            motion.facts.fingerprint,
            made.motion().unwrap().facts.fingerprint
        );
        let tape = Tape::of_motion(&motion, motion.ticks());
        let (mut first, mut last) = (Vec::new(), Vec::new());
        assert!(tape.read_truth(0, &mut first) && tape.read_truth(motion.ticks(), &mut last));
        let moved = first
            .iter()
            .zip(&last)
            .filter(|(a, b)| a.position != b.position);
        assert_eq!(moved.count(), 5);
        let mut speeds = Vec::new();
        let (mut before, mut now) = (first, Vec::new());
        for tick in 1..=motion.ticks() {
            tape.read_truth(tick, &mut now);
            let [a, b] = [&before[0], &now[0]].map(|object| object.position);
            speeds.push(f64::from(libm::hypotf(a[0] - b[0], a[1] - b[1])) * 60.0);
            std::mem::swap(&mut before, &mut now);
        }
        let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
        assert!((4.0..11.0).contains(&mean), "{mean}");
    }

    #[test]
    fn any_numbers_make_a_motion() {
        for (objects, moving, speed) in [(0, 9, 0.0), (1, 0, f64::NAN), (2000, 1, 1e9)] {
            let made = Synthetic::new(objects, moving, speed);
            assert!(made.moving <= made.objects && made.objects <= 1000);
            assert_eq!(made.motion().unwrap().objects(), made.objects as usize);
        }
    }
}
