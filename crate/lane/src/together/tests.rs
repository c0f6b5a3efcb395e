//! Hosts and guests in one program, over drawn links.

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
use snapshot_view::interpolate::Interpolation;
use std::collections::BTreeMap;
use std::sync::Arc;

const LINK: &str = "#scene=drive&grid=8&rival=hand&codec=arithmetic&hz=30&predict=touch";
const TICK_MS: f64 = 1000.0 / 60.0;

/// A host with its world and guests, without a network but the host's simulated one.
struct Room {
    settings: Settings,
    host: Host,
    world: World,
    guests: BTreeMap<u32, Guest>,
    keys: BTreeMap<u32, u8>,
    hand: u8,
    now_ms: f64,
    /// Number of frames that guests draw in a tick.
    frames: u32,
}

impl Room {
    fn new(link: &str) -> Room {
        let settings = played::settings(link);
        let world = World::new(&settings.world());
        Room {
            host: Host::new(&settings, [7; 16]).unwrap(),
            world,
            settings,
            guests: BTreeMap::new(),
            keys: BTreeMap::new(),
            hand: 0,
            now_ms: 0.0,
            frames: 1,
        }
    }

    fn join(&mut self, connection: u32, name: &str) {
        let guest = Guest::new(&self.settings, name, u64::from(connection) + 1).unwrap();
        self.guests.insert(connection, guest);
    }

    fn simulate(&mut self, seed: u32) {
        let link = self.settings.lane().proxy_link(None);
        self.host.simulate(Some(ProxyLink { seed, ..link }));
    }

    /// Lets a tick pass at both ends.
    fn tick(&mut self) {
        let tick = self.world.tick() + 1;
        let second = self.host.second_hand(tick);
        self.world.step(Inputs {
            hand: Input::from_bits(self.hand),
            rival: Input::from_bits(second),
            is_crowd_idle: false,
        });
        self.host
            .tick(self.now_ms, tick, self.world.truth(), self.hand);
        self.deliver();
        for frame in 0..self.frames {
            let now_ms = self.now_ms + TICK_MS * f64::from(frame) / f64::from(self.frames);
            for (connection, guest) in &mut self.guests {
                let keys = self.keys.get(connection).copied().unwrap_or_default();
                guest.frame(now_ms, keys, true);
                while let Some(datagram) = guest.next_datagram() {
                    self.host.receive(now_ms, *connection, &datagram);
                }
            }
            self.deliver();
        }
        self.now_ms += TICK_MS;
    }

    fn deliver(&mut self) {
        while let Some((connection, datagram)) = self.host.next_datagram() {
            if let Some(guest) = self.guests.get_mut(&connection) {
                guest.receive(self.now_ms, &datagram);
            }
        }
    }

    fn run(&mut self, seconds: f64) {
        (0..(seconds * 60.0) as u32).for_each(|_| self.tick());
    }

    fn guest(&mut self, connection: u32) -> &mut Guest {
        self.guests.get_mut(&connection).unwrap()
    }

    /// Checks that the first guest's newest frame is of about the world's tick.
    fn check_newest_frame(&self) {
        let frames = ClientRecording::of_bytes(&self.guests[&1].shown_frames()).unwrap();
        let (newest, tick) = (frames.next_tick() - 1, self.world.tick());
        assert!(tick.abs_diff(newest) <= 2, "{newest} {tick}");
    }

    fn row(&self, connection: u32) -> GuestRow {
        let mut rows = self.host.guests().into_iter();
        rows.find(|row| row.connection == connection).unwrap()
    }
}

#[test]
fn a_frame_says_whether_a_tick_took_its_keys() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    assert!(!room.guest(1).frame(0.0, 1, true));
    (0..120).for_each(|_| room.tick());
    let from_ms = room.now_ms;
    let guest = room.guest(1);
    let took = (0..60).filter(|frame| guest.frame(from_ms + f64::from(*frame) * 5.0, 1, true));
    // 18 ticks pass in 300 ms.
    let took = took.count();
    assert!((17..=19).contains(&took), "{took}");
}

#[test]
fn a_guest_steers_the_second_cube_and_sees_it_at_once() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.run(2.0);
    let rival = room.world.cube_count() - 1;
    assert_eq!(room.row(1).status, RowStatus::Playing);
    assert!(room.row(1).name == "Ann" && room.row(1).has_hand);
    let before = room.world.truth()[rival].position;
    room.keys.insert(1, Input::UP.bits());
    room.run(1.5);
    let now = room.world.truth()[rival].position;
    assert!(distance_m(before, now) > 1.0, "{before:?} {now:?}");
    // Without a link the prediction is where the host's cube will be in a moment.
    let shown = room.guests[&1].poses()[rival].position;
    assert!(distance_m(shown, now) < 1.2, "{shown:?} {now:?}");
    let row = room.row(1);
    assert!(row.compared >= 3 && row.mismatches == 0, "{row:?}");
    let figures = room.guests[&1].figures();
    let of_guest = (u64::from(figures.keys_late), u64::from(figures.keys_lost));
    assert_eq!((row.keys_late, row.keys_lost), of_guest);
    assert_eq!(row.lost_percent, 0.0);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn every_decoded_snapshot_is_as_sent_over_drawn_links() {
    for seed in 1..=8 {
        let link = format!("{LINK}&seed={seed}&loss={}&jitter=20&latency=30", seed * 3);
        let mut room = Room::new(&link);
        for connection in 1..=3 {
            room.join(connection, "Ann");
        }
        room.simulate(seed);
        room.keys.insert(1, Input::LEFT.bits());
        room.hand = Input::RIGHT.bits();
        room.run(8.0);
        for connection in 1..=3 {
            let row = room.row(connection);
            assert_eq!(row.status, RowStatus::Playing, "{link}");
            assert!(row.compared >= 5 && row.mismatches == 0, "{link} {row:?}");
            let round_trip_ms = row.round_trip_ms.unwrap();
            let usual_ms = 60.0..140.0;
            assert!(usual_ms.contains(&round_trip_ms), "{link} {round_trip_ms}");
        }
        let mut names: Vec<_> = room.host.guests().into_iter().map(|row| row.name).collect();
        names.sort();
        assert_eq!(names, ["Ann", "Ann 2", "Ann 3"]);
    }
}

#[test]
fn a_silent_guest_is_gone_and_the_hand_goes_to_another() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.join(2, "Ben");
    room.run(2.0);
    assert!(room.row(1).has_hand);
    let ann = room.guests.remove(&1).unwrap();
    room.run(4.0);
    assert_eq!(room.row(1).status, RowStatus::Playing);
    room.run(1.5);
    assert_eq!(room.row(1).status, RowStatus::Gone);
    assert!(room.row(2).has_hand);
    // By a new way the guest is there again, as a guest without the hand.
    let again = ann.again().unwrap();
    room.host.close(1);
    room.guests.insert(3, again);
    room.run(2.0);
    assert_eq!(room.row(3).status, RowStatus::Playing);
    assert!(room.row(3).name == "Ann" && !room.row(3).has_hand);
    room.host.give_second_hand(3);
    assert!(room.row(3).has_hand && !room.row(2).has_hand);
    room.host.give_second_hand(77);
    assert!(room.row(3).has_hand);
}

#[test]
fn a_guest_knows_at_each_moment_whether_it_steers_and_predicts_only_then() {
    for seed in 1..=2 {
        let link = format!("{LINK}&loss=10&latency=30&jitter=20&seed={seed}");
        let mut room = Room::new(&link);
        room.simulate(seed);
        room.join(1, "Ann");
        assert_eq!(room.guests[&1].figures().steers, None);
        room.run(1.5);
        assert_eq!(room.guests[&1].figures().steers, Some(true));
        room.join(2, "Ben");
        room.keys.insert(2, Input::UP.bits());
        room.keys.insert(1, Input::DOWN.bits());
        room.run(2.0);
        // Ben watches: his keys move nothing, not on his screen either.
        let ben = room.guests[&2].figures();
        assert_eq!((ben.steers, ben.corrections), (Some(false), 0));
        room.host.give_second_hand(2);
        room.run(1.0);
        assert_eq!(room.guests[&2].figures().steers, Some(true));
        let ann = room.guests[&1].figures();
        assert_eq!(ann.steers, Some(false));
        room.run(1.0);
        let later = room.guests[&1].figures();
        assert_eq!(ann.corrections, later.corrections);
    }
}

#[test]
fn what_an_end_leaves_out_itself_is_not_lost_on_the_way() {
    let mut room = Room::new(&LINK.replace("hz=30", "hz=60"));
    room.join(1, "Ann");
    room.run(1.0);
    let keys_lost = room.guests[&1].figures().keys_lost;
    for tick in 0..600_u32 {
        let second = room.host.second_hand(room.world.tick() + 1);
        assert_eq!(second, 0);
        room.world.step(Inputs::default());
        (room.host).tick(room.now_ms, room.world.tick(), room.world.truth(), 0);
        // Both ends leave out every fourth datagram.
        let is_left_out = tick % 4 == 0;
        while let Some((connection, datagram)) = room.host.next_datagram() {
            match is_left_out {
                true => room.host.leave_out(connection),
                false => {
                    let now_ms = room.now_ms;
                    room.guest(1).receive(now_ms, &datagram);
                }
            }
        }
        let now_ms = room.now_ms;
        room.guest(1).frame(now_ms, 0, !is_left_out);
        while let Some(datagram) = room.guest(1).next_datagram() {
            room.host.receive(now_ms, 1, &datagram);
        }
        room.now_ms += TICK_MS;
    }
    let (figures, row) = (room.guests[&1].figures(), room.row(1));
    assert_eq!(figures.lost_there_percent, 0.0);
    assert!(
        (20.0..30.0).contains(&figures.left_out_percent),
        "{figures:?}"
    );
    assert!(figures.lost_percent < 4.0, "{figures:?}");
    assert!(row.lost_percent < 4.0, "{row:?}");
    // No key is missing: the next datagram has it.
    assert_eq!(figures.keys_lost, keys_lost);
}

#[test]
fn a_guest_who_is_sent_away_is_told_why() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.run(1.0);
    room.host.send_away(1, "The host has sent you away.");
    assert!(room.host.guests().is_empty());
    room.deliver();
    let now_ms = room.now_ms;
    room.guest(1).frame(now_ms, 0, true);
    let figures = room.guests[&1].figures();
    assert_eq!(figures.status, GuestStatus::Refused);
    assert_eq!(figures.why.as_deref(), Some("The host has sent you away."));
}

#[test]
fn frames_far_from_their_ticks_are_no_frames() {
    let pose = Room::new(LINK).world.truth()[0];
    let pose = snapshot_view::Pose::from(&pose);
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
        let pose = snapshot_view::Pose::from(&cube);
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
        room.join(1, "Ann");
        room.run(2.0);
        let mut heard_ms = room.now_ms;
        for _ in 0..600 {
            room.now_ms += 100.0;
            room.host.pass(room.now_ms);
            while let Some((_, datagram)) = room.host.next_datagram() {
                let now_ms = room.now_ms;
                room.guest(1).receive(now_ms, &datagram);
                heard_ms = now_ms;
            }
            let now_ms = room.now_ms;
            room.guest(1).frame(now_ms, 0, true);
            while let Some(datagram) = room.guest(1).next_datagram() {
                room.host.receive(now_ms, 1, &datagram);
            }
            assert!(now_ms - heard_ms < 2_500.0, "{seed}: {now_ms}");
        }
        assert_eq!(room.row(1).status, RowStatus::Playing);
    }
}

#[test]
fn a_late_guest_joins_the_running_world() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.hand = Input::UP.bits();
    room.run(20.0);
    room.join(2, "Ben");
    room.run(2.0);
    let guest = &room.guests[&2];
    assert_eq!(guest.figures().status, GuestStatus::Playing);
    let (shown, truth) = (guest.poses(), room.world.truth());
    for (index, (shown, truth)) in shown.iter().zip(truth).enumerate().skip(1) {
        let apart_m = distance_m(shown.position, truth.position);
        assert!(apart_m < 1.5, "cube {index}");
    }
}

#[test]
fn the_host_ends_and_a_guest_leaves() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.join(2, "Ben");
    room.run(2.0);
    room.guest(1).end();
    room.run(0.5);
    assert_eq!(room.row(1).status, RowStatus::Gone);
    assert_eq!(room.guests[&1].figures().status, GuestStatus::Left);
    room.host.end("The lesson is over.");
    room.run(1.0);
    let figures = room.guests[&2].figures();
    assert_eq!(figures.status, GuestStatus::Refused);
    assert_eq!(figures.why.as_deref(), Some("The lesson is over."));
    room.join(3, "Late");
    room.run(2.0);
    assert_ne!(room.guests[&3].figures().status, GuestStatus::Playing);
}

#[test]
fn a_host_that_stands_still_keeps_its_guests() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.run(2.0);
    let peers: Vec<_> = room.host.server().peers().collect();
    for _ in 0..600 {
        room.host.pass(room.now_ms);
        room.deliver();
        let guest = room.guests.get_mut(&1).unwrap();
        guest.frame(room.now_ms, 0, true);
        while let Some(datagram) = guest.next_datagram() {
            room.host.receive(room.now_ms, 1, &datagram);
        }
        room.deliver();
        room.now_ms += TICK_MS;
    }
    assert!(room.guests[&1].figures().still_ms > 5_000.0);
    room.run(2.0);
    assert!(
        room.host.server().peers().eq(peers),
        "the guest did not join again"
    );
    assert_eq!(room.row(1).status, RowStatus::Playing);
    let first = &room.guests[&1].poses()[1];
    assert!(distance_m(first.position, room.world.truth()[1].position) < 0.5);
    // The estimate of the host's tick has caught up with the pause.
    room.run(2.5);
    room.check_newest_frame();
}

#[test]
fn choices_change_what_a_guest_sees() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.run(2.0);
    let age_ms = |room: &Room| room.guests[&1].figures().screen_age_ms.unwrap();
    let before_ms = age_ms(&room);
    assert!(before_ms < 200.0, "{before_ms}");
    room.guest(1)
        .choose(Predict::Wait, Interpolation::Linear, Some(300.0));
    room.run(2.0);
    let after_ms = age_ms(&room);
    assert!((after_ms - 300.0).abs() < 40.0, "{after_ms}");
    for predict in Predict::ALL {
        room.guest(1).choose(*predict, Interpolation::Hermite, None);
        room.run(1.0);
        assert_eq!(room.row(1).mismatches, 0);
    }
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_guest_s_frames_are_a_recording_in_the_host_s_ticks() {
    let mut room = Room::new(LINK);
    room.run(3.0);
    room.join(1, "Ann");
    room.hand = Input::UP.bits();
    room.run(5.0);
    let bytes = room.guests[&1].shown_frames();
    let recording = ClientRecording::of_bytes(&bytes).unwrap();
    assert_eq!(recording.objects(), room.world.cube_count());
    room.check_newest_frame();
    assert!(bytes.len() < 4_000_000, "{}", bytes.len());
    room.frames = 3;
    room.run(70.0);
    let recording = ClientRecording::of_bytes(&room.guests[&1].shown_frames()).unwrap();
    assert!(recording.next_tick() > 70 * 60);
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_guest_s_recording_replays_to_the_same_frames() {
    for seed in 1..=8 {
        let mut room = Room::new(&format!("{LINK}&loss={}&latency=40&jitter=15", 2 * seed));
        room.simulate(seed);
        room.join(1, "Änn");
        room.keys.insert(1, Input::LEFT.bits());
        room.run(3.0);
        let delay_ms = Some(f64::from(seed) * 30.0);
        room.guest(1)
            .choose(Predict::All, Interpolation::Linear, delay_ms);
        room.run(1.0);
        room.guest(1)
            .choose(Predict::Wait, Interpolation::Hermite, None);
        room.run(1.0);
        room.guest(1).end();
        room.run(0.2);
        let recording = room.guests[&1].recording();
        let replay = replay_guest(&Reader::new(&recording).unwrap()).unwrap();
        assert_eq!((replay.difference, replay.shows), (None, 312), "{seed}");
        assert!(replay.compared_calls > 300 && replay.datagrams > 100);
        assert!(!recording.windows(3).any(|part| part == "Än".as_bytes()));
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
    room.join(1, "Ann");
    room.run(3.0);
    let frames = room.guests[&1].shown_frames();
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
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_full_room_says_so_and_a_bad_world_cannot_be_shared() {
    let mut room = Room::new("#scene=drive&grid=8&rival=hand&hz=10");
    for connection in 0..=GUESTS_MAX as u32 {
        room.join(connection, "Ann");
    }
    room.run(3.0);
    let guests = room.guests.values().map(Guest::figures);
    let (playing, others): (Vec<_>, Vec<_>) =
        guests.partition(|it| it.status == GuestStatus::Playing);
    assert_eq!(playing.len(), GUESTS_MAX);
    let is_refused = |it: &GuestFigures| it.why.as_deref() == Some("The room is full.");
    assert!(others.iter().all(is_refused));
    let alone = played::settings("#scene=drive&grid=8");
    let refused = Some(ShareError::NoSecondCube);
    assert_eq!(Host::new(&alone, [0; 16]).err(), refused);
    assert_eq!(Guest::new(&alone, "", 1).err(), refused);
}

#[test]
fn hostile_datagrams_change_no_guest() {
    let mut room = Room::new(LINK);
    room.join(1, "Ann");
    room.run(2.0);
    let mut random = Stream::new(3, 1);
    for number in 0..20_000_u32 {
        let length = random.integer(0, 80);
        let bytes: Vec<u8> = (0..length).map(|_| random.integer(0, 255) as u8).collect();
        room.host.receive(room.now_ms, number % 5, &bytes);
        let now_ms = room.now_ms;
        room.guest(1).receive(now_ms, &bytes);
        if number % 100 == 0 {
            room.tick();
        }
    }
    let row = room.row(1);
    assert_eq!((row.status, row.mismatches), (RowStatus::Playing, 0));
    assert_eq!(room.host.guests().len(), 1);
}

#[test]
fn a_row_has_the_delays_of_the_way_whatever_the_world_s_pace() {
    for seed in 1..=4 {
        let mut room = Room::new(&format!("{LINK}&latency=60&jitter=40&loss=2"));
        room.simulate(seed);
        room.join(1, "Ada");
        room.run(6.0);
        // A slow host: its world takes twice as long as its ticks say.
        for _ in 0..300 {
            room.tick();
            room.now_ms += TICK_MS;
        }
        let row = room.row(1);
        let [half_ms, most_ms] = row.one_way_ms.unwrap();
        // Datagrams are handed over at ticks only, half a tick later on average; the least round trip has both ends' waits in it.
        assert!((60.0..=80.0 + 3.0 * TICK_MS).contains(&half_ms), "{row:?}");
        assert!(half_ms <= most_ms && most_ms <= 100.0 + 4.0 * TICK_MS);
        let headers_kbps = row.kbps_with_headers - row.kbps;
        assert!(headers_kbps > 78.0 * 0.008 * 14.0, "{row:?}");
    }
}
