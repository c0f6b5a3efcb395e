//! The drawn poses of a judged client by the slots and ticks of its server's motion, so that a lane of the lab can show them.
//! A slot is an object's place in the motion.

use super::delay::Delays;
use super::path::{Path, Ways};
use super::{Frames, Judged};
use snapshot_base::order;
use snapshot_codec::Life;
use snapshot_lane::client::{ClientRecording, NOT_THERE, ShownInstant};
use snapshot_record::motion::Motion;
use snapshot_view::Pose;

impl Judged<'_> {
    /// Returns the poses that the client drew, in the slots and ticks of its server's `motion`, which was read from the
    /// server's file. `client` is the fingerprint of the client's file.
    pub fn recording(&self, motion: &Motion, client: u32) -> ClientRecording {
        let clock = ClockMapping::new(self, motion);
        let files = [client, motion.facts.fingerprint];
        let ways = Ways::from_track(self.files.client);
        let drawn = self.files.client.objects.iter();
        let drawn = drawn.filter(|object| !object.samples.is_empty());
        let path = |object| Path::new(self.files.client, object, ways);
        let drawn = order::map(drawn.map(|object| (&object.name[..], path(object))));
        // Owners of a slot from a tick on, each with its way where the client drew it.
        let owners = (0..motion.objects()).map(|slot| {
            let owners = motion.owners(slot).into_iter();
            owners.map(|(from, name)| (from, drawn.get(&name[..])))
        });
        let owners: Vec<Vec<(u64, Option<&Path<'_>>)>> = owners.map(Iterator::collect).collect();
        let poses = |frame: Option<(f64, ShownInstant)>| -> Vec<Pose> {
            let of_slot = |owners: &Vec<(u64, Option<&Path<'_>>)>| {
                let (at_s, at) = frame?;
                let after = owners.partition_point(|(from, _)| *from as f64 <= at.play_tick);
                let (_, path) = owners.get(after.saturating_sub(1))?;
                let placed = (*path)?.drawn_at(at_s)?;
                Some(Pose {
                    position: placed.position,
                    orientation: placed.orientation,
                    interacting: false,
                    life: Life::FIRST,
                })
            };
            let all = owners.iter();
            all.map(|owners| of_slot(owners).unwrap_or(NOT_THERE))
                .collect()
        };
        let at = |frame: Option<(f64, ShownInstant)>| frame.map(|(_, at)| at);
        let frame = clock.frame(0);
        let age_ms = clock.age_s * 1000.0;
        let mut recording = ClientRecording::new(files, age_ms, at(frame), poses(frame));
        for tick in 1..=motion.ticks() {
            let frame = clock.frame(tick);
            recording.push(at(frame), &poses(frame));
        }
        recording
    }
}

/// Conversion between both files' clocks and the ticks of the motion.
struct ClockMapping<'a> {
    frames: &'a Frames<'a>,
    delays: &'a Delays,
    /// Time of tick 0 on the server's clock, s.
    start_s: f64,
    tick_s: f64,
    /// The client's clock minus the server's, s; 0 if the delay counts as age of the picture.
    ahead_s: f64,
    age_s: f64,
}

impl<'a> ClockMapping<'a> {
    fn new(judged: &'a Judged<'a>, motion: &Motion) -> ClockMapping<'a> {
        let server = judged.files.server;
        let ticks = motion.ticks() + motion.facts.left_out_ticks;
        let delay_s = judged.judgement.delay_ms / 1000.0;
        // With clocks that differ the lane shows the client without delay.
        let ahead_s = if judged.judgement.is_age {
            0.0
        } else {
            delay_s
        };
        ClockMapping {
            frames: &judged.frames,
            delays: &judged.delays,
            start_s: server.frames_s.first().copied().unwrap_or(0.0),
            tick_s: server.seconds() / ticks as f64,
            ahead_s,
            age_s: delay_s - ahead_s,
        }
    }

    fn client_s(&self, tick: u64) -> f64 {
        // A frame of this very instant must not be missed, because a file rounds its times.
        self.start_s + self.ahead_s + (tick as f64 + 0.01) * self.tick_s
    }

    /// Returns the time (s) of the client's newest frame at a tick, and the instants that it shows. `None` before the first
    /// frame, after the last frame, and for an instant outside the motion.
    fn frame(&self, tick: u64) -> Option<(f64, ShownInstant)> {
        let times_s = self.frames.times_s;
        let now_s = self.client_s(tick);
        let frame = times_s
            .partition_point(|at_s| *at_s <= now_s)
            .checked_sub(1)?;
        if times_s
            .last()
            .is_none_or(|last_s| now_s > last_s + self.tick_s)
        {
            return None;
        }
        let of_server = |at_s: f64| (at_s - self.delays.at(at_s) - self.start_s) / self.tick_s;
        let still = self
            .frames
            .still
            .partition_point(|range| range.start <= frame);
        let still = self.frames.still[..still].last();
        let still = still.filter(|range| range.contains(&frame));
        // Between two frames of a slow client nothing stands.
        let is_before_gap = self.frames.gaps.binary_search(&(frame + 1)).is_ok();
        let drawn_tick = match still {
            Some(range) => of_server(times_s[range.start - 1]),
            None if is_before_gap => of_server(times_s[frame]),
            None => of_server(now_s),
        };
        let play_tick = of_server(times_s[frame]);
        let at = ShownInstant {
            play_tick,
            drawn_tick,
        };
        (play_tick >= 0.0).then_some((times_s[frame], at))
    }
}
