//! A host and its guest in one program, over drawn links.

use super::*;
use crate::client::ClientRecording;
use crate::history::LaneHistory;
use crate::played;
use crate::view::distance_m;
use snapshot_base::random::Stream;
use snapshot_netsim::proxy::ProxyLink;
use snapshot_physics::input::{Input, Inputs};
use snapshot_physics::world::World;
use snapshot_record::tape::Tape;
use snapshot_replication::recording::Reader;
use snapshot_settings::{Predict, Settings};
use snapshot_view::Pose;
use snapshot_view::interpolate::Interpolation;
use std::sync::Arc;

const LINK: &str = "#scene=drive&grid=8&rival=hand&codec=arithmetic&hz=30&predict=touch";
const TICK_MS: f64 = 1000.0 / 60.0;

/// A host with its world and its guest, without a network but the host's simulated one.
struct Room {
    settings: Settings,
    host: Host,
    world: World,
    guest: Option<Guest>,
    /// Keys of the guest, and of the host.
    keys: u8,
    hand: u8,
    now_ms: f64,
    /// Number of frames that the guest draws in a tick.
    frames: u32,
    /// Number of guests so far.
    joined: u64,
}

impl Room {
    fn new(link: &str) -> Room {
        let settings = played::settings(link);
        let world = World::new(&settings.world());
        Room {
            host: Host::new(&settings, [7; 16]).unwrap(),
            world,
            settings,
            guest: None,
            keys: 0,
            hand: 0,
            now_ms: 0.0,
            frames: 1,
            joined: 0,
        }
    }

    /// Lets a guest ask to join, over a new connection.
    fn join(&mut self) {
        self.joined += 1;
        let nonce = self.joined + 1;
        self.guest = Some(Guest::new(&self.settings, nonce).unwrap());
        self.host.connect(self.now_ms);
    }

    fn simulate(&mut self, seed: u32) {
        let link = self.settings.lane().proxy_link(None);
        self.host.simulate(Some(ProxyLink { seed, ..link }));
    }

    /// Lets a tick pass at both ends.
    fn tick(&mut self) {
        let tick = self.world.tick() + 1;
        let guest = self.host.guest_keys(tick);
        self.world.step(Inputs {
            hand: Input::from_bits(self.hand),
            rival: Input::from_bits(guest),
            is_crowd_idle: false,
        });
        self.host
            .tick(self.now_ms, tick, self.world.truth(), self.hand);
        self.deliver();
        for frame in 0..self.frames {
            self.draw(self.now_ms + TICK_MS * f64::from(frame) / f64::from(self.frames));
        }
        self.now_ms += TICK_MS;
    }

    /// Lets the guest draw a frame, and the host hear of it.
    fn draw(&mut self, now_ms: f64) {
        if let Some(guest) = &mut self.guest {
            guest.frame(now_ms, self.keys, true);
            while let Some(datagram) = guest.next_datagram() {
                self.host.receive(now_ms, &datagram);
            }
        }
        self.deliver();
    }

    /// Lets time pass at both ends while the host's world stands still.
    fn stand_still(&mut self, ms: f64) {
        self.host.pass(self.now_ms);
        self.deliver();
        self.draw(self.now_ms);
        self.now_ms += ms;
    }

    fn deliver(&mut self) {
        while let Some(datagram) = self.host.next_datagram() {
            if let Some(guest) = &mut self.guest {
                guest.receive(self.now_ms, &datagram);
            }
        }
    }

    fn run(&mut self, seconds: f64) {
        (0..(seconds * 60.0) as u32).for_each(|_| self.tick());
    }

    fn guest(&mut self) -> &mut Guest {
        self.guest.as_mut().unwrap()
    }

    fn figures(&self) -> GuestFigures {
        self.guest.as_ref().unwrap().figures()
    }

    fn poses(&self) -> &[Pose] {
        self.guest.as_ref().unwrap().poses()
    }

    /// The frames that the guest has shown.
    fn shown_frames(&self) -> ClientRecording {
        let frames = self.guest.as_ref().unwrap().shown_frames();
        ClientRecording::of_bytes(&frames).unwrap()
    }

    /// Checks that the guest's newest frame is of about the world's tick.
    fn check_newest_frame(&self) {
        let (newest, tick) = (self.shown_frames().next_tick() - 1, self.world.tick());
        assert!(tick.abs_diff(newest) <= 2, "{newest} {tick}");
    }

    /// The guest as the host knows it.
    fn hosted(&self) -> HostedGuest {
        self.host.guest().unwrap()
    }

    fn is_playing(&self) -> bool {
        self.host.guest().is_some_and(|guest| guest.is_playing)
    }
}

#[test]
fn a_frame_says_whether_a_tick_took_its_keys() {
    let mut room = Room::new(LINK);
    room.join();
    assert!(!room.guest().frame(0.0, 1, true));
    (0..120).for_each(|_| room.tick());
    let from_ms = room.now_ms;
    let guest = room.guest();
    let took = (0..60).filter(|frame| guest.frame(from_ms + f64::from(*frame) * 5.0, 1, true));
    // 18 ticks pass in 300 ms.
    let took = took.count();
    assert!((17..=19).contains(&took), "{took}");
}

#[test]
fn a_guest_steers_the_second_cube_and_sees_it_at_once() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    let rival = room.world.cube_count() - 1;
    assert!(room.is_playing());
    let before = room.world.truth()[rival].position;
    room.keys = Input::UP.bits();
    room.run(1.5);
    let now = room.world.truth()[rival].position;
    assert!(distance_m(before, now) > 1.0, "{before:?} {now:?}");
    // Without a link the prediction is where the host's cube will be in a moment.
    let shown = room.poses()[rival].position;
    assert!(distance_m(shown, now) < 1.2, "{shown:?} {now:?}");
    let hosted = room.hosted();
    assert!(hosted.compared >= 3 && hosted.mismatches == 0, "{hosted:?}");
    let figures = room.figures();
    let of_guest = (figures.keys_late, figures.keys_lost);
    assert_eq!((hosted.keys_late, hosted.keys_lost), of_guest);
    assert_eq!(hosted.lost_percent, 0.0);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_decoded_snapshot_is_as_sent_over_drawn_links() {
    for seed in 1..=8 {
        let link = format!("{LINK}&seed={seed}&loss={}&jitter=20&latency=30", seed * 3);
        let mut room = Room::new(&link);
        room.join();
        room.simulate(seed);
        room.keys = Input::LEFT.bits();
        room.hand = Input::RIGHT.bits();
        room.run(8.0);
        let hosted = room.hosted();
        assert!(hosted.is_playing, "{link}");
        let is_equal = hosted.compared >= 5 && hosted.mismatches == 0;
        assert!(is_equal, "{link} {hosted:?}");
        let round_trip_ms = hosted.round_trip_ms.unwrap();
        let usual_ms = 60.0..140.0;
        assert!(usual_ms.contains(&round_trip_ms), "{link} {round_trip_ms}");
    }
}

#[test]
fn a_silent_guest_is_gone_and_makes_room() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    room.keys = Input::UP.bits();
    room.run(1.0);
    room.guest = None;
    room.run(4.0);
    assert!(room.is_playing());
    room.run(1.5);
    assert_eq!(room.host.guest(), None);
    // A key that the guest held at the end is not held for ever.
    assert_eq!(room.host.guest_keys(room.world.tick() + 1), 0);
    room.join();
    assert!(!room.is_playing());
    room.run(2.0);
    assert!(room.is_playing());
}

#[test]
fn a_connection_over_which_nobody_joins_makes_room_in_5_s() {
    let mut room = Room::new(LINK);
    room.run(10.0);
    room.host.connect(room.now_ms);
    for tick in 0..360_u32 {
        room.host.receive(room.now_ms, &tick.to_le_bytes());
        room.tick();
        match tick {
            0..=295 => assert!(room.host.guest().is_some(), "{tick}"),
            296..=305 => {}
            _ => assert_eq!(room.host.guest(), None, "{tick}"),
        }
    }
}

#[test]
fn datagrams_of_the_connection_before_reach_no_guest() {
    let mut room = Room::new(&format!("{LINK}&latency=400"));
    room.simulate(1);
    room.join();
    room.run(3.0);
    room.host.simulate(None);
    // Datagrams of a second are on their way, in both directions, when another guest joins.
    room.simulate(1);
    room.run(1.0);
    room.join();
    room.run(3.0);
    assert_eq!(room.figures().status, GuestStatus::Playing);
    assert!(room.is_playing() && room.hosted().mismatches == 0);
}

#[test]
fn what_an_end_leaves_out_itself_is_not_lost_on_the_way() {
    let mut room = Room::new(&LINK.replace("hz=30", "hz=60"));
    room.join();
    room.run(1.0);
    let keys_lost = room.figures().keys_lost;
    for tick in 0..600_u32 {
        assert_eq!(room.host.guest_keys(room.world.tick() + 1), 0);
        room.world.step(Inputs::default());
        (room.host).tick(room.now_ms, room.world.tick(), room.world.truth(), 0);
        // Both ends leave out every fourth datagram.
        let is_left_out = tick % 4 == 0;
        while let Some(datagram) = room.host.next_datagram() {
            match is_left_out {
                true => room.host.leave_out(1),
                false => {
                    let now_ms = room.now_ms;
                    room.guest().receive(now_ms, &datagram);
                }
            }
        }
        let now_ms = room.now_ms;
        room.guest().frame(now_ms, 0, !is_left_out);
        while let Some(datagram) = room.guest().next_datagram() {
            room.host.receive(now_ms, &datagram);
        }
        room.now_ms += TICK_MS;
    }
    let (figures, hosted) = (room.figures(), room.hosted());
    assert_eq!(figures.lost_there_percent, 0.0);
    assert!(
        (20.0..30.0).contains(&figures.left_out_percent),
        "{figures:?}"
    );
    assert!(figures.lost_percent < 4.0, "{figures:?}");
    assert!(hosted.lost_percent < 4.0, "{hosted:?}");
    // No key is missing: the next datagram has it.
    assert_eq!(figures.keys_lost, keys_lost);
}

#[test]
fn a_guest_who_is_sent_away_is_told_why() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(1.0);
    room.host.send_away("The host has sent you away.");
    assert_eq!(room.host.guest(), None);
    room.deliver();
    let now_ms = room.now_ms;
    room.guest().frame(now_ms, 0, true);
    let figures = room.figures();
    assert_eq!(figures.status, GuestStatus::Refused);
    assert_eq!(figures.why.as_deref(), Some("The host has sent you away."));
}

#[test]
fn frames_far_from_their_ticks_are_no_frames() {
    let pose = Room::new(LINK).world.truth()[0];
    let pose = Pose::from(&pose);
    let frames = |drawn_tick: f64, play_tick: f64, delay_ms: f64| {
        let at = Some(crate::client::ShownInstant {
            play_tick,
            drawn_tick,
        });
        let frames = ClientRecording::from_tick(5_000, at, vec![pose]);
        frames.with_delay(delay_ms).shifted_back(0).is_some()
    };
    assert!(frames(4_990.0, 4_990.5, 100.0));
    assert!(!frames(1e15, 4_990.0, 100.0));
    assert!(!frames(4_990.0, 1e15, 100.0));
    assert!(!frames(4_990.0, 4_990.0, 1e15) && !frames(4_990.0, 4_990.0, -1.0));
}

#[test]
fn a_recording_of_more_ticks_or_other_objects_than_a_guest_s_is_refused_before_it_is_read() {
    let cube = Room::new(LINK).world.truth()[0];
    let recording = |ticks: u32, objects: usize| {
        let pose = Pose::from(&cube);
        let mut recording = ClientRecording::from_tick(0, None, vec![pose; objects]);
        (1..ticks).for_each(|_| recording.hold());
        recording.to_bytes()
    };
    let is_read = |bytes: &[u8]| ClientRecording::of_guest(bytes, 2, 0).is_some();
    assert!(is_read(&recording(7_200, 2)));
    assert!(!is_read(&recording(7_201, 2)) && !is_read(&recording(60, 3)));
    assert!(!is_read(&[]) && !is_read(&[0; 20]));
}

#[test]
fn a_guest_hears_of_a_host_that_stands_still_behind_a_link_with_bursts_of_loss() {
    for seed in 1..=8 {
        let mut room = Room::new(&format!("{LINK}&link=wifi-busy&loss=20&seed={seed}"));
        room.simulate(seed);
        room.join();
        // Bursts of loss make joining slow.
        room.run(6.0);
        assert!(room.is_playing());
        let mut heard_ms = room.now_ms;
        for _ in 0..600 {
            let now_ms = room.now_ms;
            room.host.pass(now_ms);
            while let Some(datagram) = room.host.next_datagram() {
                room.guest().receive(now_ms, &datagram);
                heard_ms = now_ms;
            }
            room.stand_still(100.0);
            assert!(now_ms - heard_ms < 2_500.0, "{seed}: {now_ms}");
        }
        assert!(room.is_playing());
    }
}

#[test]
fn a_late_guest_joins_the_running_world() {
    let mut room = Room::new(LINK);
    room.hand = Input::UP.bits();
    room.run(20.0);
    room.join();
    room.run(2.0);
    assert_eq!(room.figures().status, GuestStatus::Playing);
    let (shown, truth) = (room.poses(), room.world.truth());
    for (index, (shown, truth)) in shown.iter().zip(truth).enumerate().skip(1) {
        let apart_m = distance_m(shown.position, truth.position);
        assert!(apart_m < 1.5, "cube {index}");
    }
}

#[test]
fn the_host_ends_and_a_guest_leaves() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    room.guest().end();
    room.run(0.5);
    assert_eq!(room.host.guest(), None);
    assert_eq!(room.figures().status, GuestStatus::Left);
    room.join();
    room.run(2.0);
    room.host.send_away("The play is over.");
    room.run(1.0);
    let figures = room.figures();
    assert_eq!(figures.status, GuestStatus::Refused);
    assert_eq!(figures.why.as_deref(), Some("The play is over."));
}

#[test]
fn a_host_that_stands_still_keeps_its_guest() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    let peers: Vec<_> = room.host.server().peers().collect();
    for _ in 0..600 {
        room.stand_still(TICK_MS);
    }
    assert!(room.figures().still_ms > 5_000.0);
    room.run(2.0);
    assert!(
        room.host.server().peers().eq(peers),
        "the guest did not join again"
    );
    assert!(room.is_playing());
    let first = room.poses()[1];
    assert!(distance_m(first.position, room.world.truth()[1].position) < 0.5);
    // The estimate of the host's tick has caught up with the pause.
    room.run(2.5);
    room.check_newest_frame();
}

#[test]
fn choices_change_what_a_guest_sees() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    let age_ms = |room: &Room| room.figures().screen_age_ms.unwrap();
    let before_ms = age_ms(&room);
    assert!(before_ms < 200.0, "{before_ms}");
    room.guest()
        .choose(Predict::Wait, Interpolation::Linear, Some(300.0));
    room.run(2.0);
    let after_ms = age_ms(&room);
    assert!((after_ms - 300.0).abs() < 40.0, "{after_ms}");
    for predict in Predict::ALL {
        room.guest().choose(*predict, Interpolation::Hermite, None);
        room.run(1.0);
        assert_eq!(room.hosted().mismatches, 0);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_guest_s_frames_are_a_recording_in_the_host_s_ticks() {
    let mut room = Room::new(LINK);
    room.run(3.0);
    room.join();
    room.hand = Input::UP.bits();
    room.run(5.0);
    assert_eq!(room.shown_frames().objects(), room.world.cube_count());
    room.check_newest_frame();
    let bytes = room.guest().shown_frames().len();
    assert!(bytes < 4_000_000, "{bytes}");
    room.frames = 3;
    room.run(70.0);
    assert!(room.shown_frames().next_tick() > 70 * 60);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_guest_s_recording_replays_to_the_same_frames() {
    for seed in 1..=8 {
        let mut room = Room::new(&format!("{LINK}&loss={}&latency=40&jitter=15", 2 * seed));
        room.simulate(seed);
        room.join();
        room.keys = Input::LEFT.bits();
        room.run(3.0);
        let delay_ms = Some(f64::from(seed) * 30.0);
        room.guest()
            .choose(Predict::All, Interpolation::Linear, delay_ms);
        room.run(1.0);
        room.guest()
            .choose(Predict::Wait, Interpolation::Hermite, None);
        room.run(1.0);
        room.guest().end();
        room.run(0.2);
        let recording = room.guest().recording();
        let replay = replay_guest(&Reader::new(&recording).unwrap()).unwrap();
        assert_eq!((replay.difference, replay.shows), (None, 312), "{seed}");
        assert!(replay.compared_calls > 300 && replay.datagrams > 100);
        // Another byte of it is refused, or shows other frames.
        let mut random = Stream::new(seed, 1);
        for _ in 0..40 {
            let mut other = recording.clone();
            let place = random.integer(0, other.len() as u32 - 1) as usize;
            other[place] ^= 1 << random.integer(0, 7);
            let replay = Reader::new(&other).and_then(|reader| replay_guest(&reader));
            let is_refused = replay.is_err_and(|error| !error.to_string().is_empty());
            assert!(is_refused, "{seed} {place}");
        }
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn disturbed_frames_are_refused_or_shown() {
    let mut room = Room::new(LINK);
    room.hand = Input::UP.bits();
    room.join();
    room.run(3.0);
    let frames = room.guest().shown_frames();
    let mut tape = Tape::record(&room.settings, 0);
    while tape.last_tick() < room.world.tick() {
        tape.step(Inputs::default(), false);
    }
    let mut random = Stream::new(5, 1);
    let mut shown = 0;
    for _ in 0..300 {
        let mut bytes = frames.clone();
        for _ in 0..random.integer(1, 3) {
            let place = random.integer(0, bytes.len() as u32 - 1) as usize;
            bytes[place] ^= 1 << random.integer(0, 7);
        }
        let read = ClientRecording::of_bytes(&bytes);
        let read = read.filter(|read| read.objects() == tape.newest().len());
        let Some(read) = read.and_then(|read| read.shifted_back(0)) else {
            continue;
        };
        shown += 1;
        let mut history = LaneHistory::of_client(&tape, &room.settings.lane(), &Arc::new(read));
        while history.advance(&tape) {}
    }
    assert!(shown > 20, "{shown}");
    assert!(ClientRecording::of_bytes(&frames[..frames.len() - 1]).is_none());
}

#[test]
fn a_world_with_one_hand_cannot_be_shared() {
    let alone = played::settings("#scene=drive&grid=8");
    let refused = Some(ShareError::NoSecondCube);
    assert_eq!(Host::new(&alone, [0; 16]).err(), refused);
    assert_eq!(Guest::new(&alone, 1).err(), refused);
}

#[test]
fn hostile_datagrams_do_not_change_the_guest() {
    let mut room = Room::new(LINK);
    room.join();
    room.run(2.0);
    let mut random = Stream::new(3, 1);
    for number in 0..20_000_u32 {
        let length = random.integer(0, 80);
        let bytes: Vec<u8> = (0..length).map(|_| random.integer(0, 255) as u8).collect();
        room.host.receive(room.now_ms, &bytes);
        let now_ms = room.now_ms;
        room.guest().receive(now_ms, &bytes);
        if number % 100 == 0 {
            room.tick();
        }
    }
    let hosted = room.hosted();
    assert!(hosted.is_playing && hosted.mismatches == 0);
}

#[test]
fn the_host_has_the_delays_of_the_way_whatever_the_world_s_pace() {
    for seed in 1..=4 {
        let mut room = Room::new(&format!("{LINK}&latency=60&jitter=40&loss=2"));
        room.simulate(seed);
        room.join();
        room.run(6.0);
        // A slow host: its world takes twice as long as its ticks say.
        for _ in 0..300 {
            room.tick();
            room.now_ms += TICK_MS;
        }
        let hosted = room.hosted();
        let [half_ms, most_ms] = hosted.one_way_ms.unwrap();
        // Datagrams are handed over at ticks only, half a tick later on average; the least round trip has both ends' waits in it.
        assert!(
            (60.0..=80.0 + 3.0 * TICK_MS).contains(&half_ms),
            "{hosted:?}"
        );
        assert!(half_ms <= most_ms && most_ms <= 100.0 + 4.0 * TICK_MS);
        let headers_kbps = hosted.kbps_with_headers - hosted.kbps;
        assert!(headers_kbps > 78.0 * 0.008 * 14.0, "{hosted:?}");
    }
}
