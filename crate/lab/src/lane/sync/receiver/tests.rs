use super::*;
use crate::lane::Lane;
use crate::lane::ends::Ends;
use crate::settings::permalink;
use snapshot_codec::Ledger;
use snapshot_physics::world::World;

fn receiver_mut(lane: &mut Lane) -> &mut Receiver {
    match &mut lane.ends {
        Ends::Sync(sides) => &mut sides.receiver,
        _ => panic!("a lane of another strategy"),
    }
}

fn receiver(lane: &Lane) -> &Receiver {
    match &lane.ends {
        Ends::Sync(sides) => &sides.receiver,
        _ => panic!("a lane of another strategy"),
    }
}

/// A person who drives about, and lets go after 8 s.
fn person(tick: u64) -> Input {
    let legs = [
        Input::RIGHT,
        Input::PUSH | Input::UP,
        Input::PULL | Input::LEFT,
        Input::PULL | Input::DOWN,
        Input::PUSH,
    ];
    match tick {
        0..480 => legs[(tick / 40) as usize % legs.len()],
        _ => Input::NONE,
    }
}

/// Cut from 6 s to 8 s: the right side goes on with the last key that it heard of.
#[test]
fn after_a_cut_what_is_shown_glides_and_everything_at_rest_is_exact_within_5_s() {
    let (settings, notices) = permalink::parse("#strategy=sync&scene=drive&grid=12&rest=1&loss=0");
    assert_eq!(notices, []);
    let mut tape = Tape::new(&settings);
    let mut lane = Lane::new(&settings.lane(), tape.world());
    let mut truth = tape.world().truth().to_vec();
    let (mut worst_mm, mut glided) = (0.0_f64, 0);
    for tick in 1..=780 {
        tape.step(person(tick), false);
        lane.set_cut((360..480).contains(&tick));
        let before = receiver_mut(&mut lane);
        let mut own = before.world.own(&tape).fork();
        let offsets = before.offsets.clone();
        lane.tick(&tape.frame(tick, &mut truth).unwrap());
        let after = receiver(&lane);
        if after.world.tick() != own.tick() {
            own.set_tick(after.world.tick() - 1);
            own.step(after.held_input);
            for (index, offset) in offsets.iter().enumerate() {
                let own = Pose::from(&own.truth()[index]);
                let shown = after.shown[index].position;
                let error_m = offset.position.length();
                let jump_m = shown.distance(offset.apply(&own).position);
                assert!(
                    jump_m <= 0.15 * error_m + 2e-4,
                    "tick {tick}: cube {index} jumps {jump_m} m of an error of {error_m} m"
                );
                glided += u32::from(error_m > 0.1);
            }
        }
        let now = lane.metrics().sync.divergence_now;
        worst_mm = worst_mm.max(now.max_mm);
        if tick < 360 {
            assert_eq!(now.max_mm, 0.0, "no loss, both sides quantised");
        }
    }
    assert!(worst_mm > 1000.0, "the cut does harm: {worst_mm} mm");
    assert!(glided > 100, "there is something to heal: {glided}");
    let world = tape.world();
    assert!(world.truth().iter().all(|cube| cube.at_rest));
    let now = lane.metrics().sync.divergence_now;
    assert_eq!((now.at_rest_max_mm, now.at_rest_apart), (0.0, 0));
    for (right, left) in receiver(&lane).world.truth().iter().zip(world.truth()) {
        assert_eq!(
            (right.position, right.orientation),
            (left.position, left.orientation),
            "the right world is written to, not only what is shown of it"
        );
    }
}

#[test]
fn forged_packets_of_frames_that_cannot_be_yet_are_refused_and_the_genuine_go_on() {
    let (settings, _) = permalink::parse("#strategy=sync&grid=5");
    let world = World::new(&settings.world());
    let mut receiver = Receiver::new(
        settings.lane().sync_format(world.cube_count()),
        Replica::of(&world),
    );
    let mut accept = |now_tick: u64, sequence: u32| {
        let mut bytes = Vec::new();
        sync::Sender::new(settings.lane().sync_format(world.cube_count()))
            .encode(sequence, &[0], [], 1000, &mut bytes, &mut Ledger::new())
            .unwrap();
        let arrival = receiver.accept(now_tick, &bytes);
        (arrival, receiver.decoder.ack().map(|ack| ack.newest))
    };
    let refused = |sequence: u32, horizon: u32| Err(DecodeError::TooFarAhead { sequence, horizon });
    assert_eq!(accept(9, 0x7000), (refused(0x7000, 69), None));
    assert_eq!(accept(9, 5), (Ok(Arrival::Accepted), Some(5)));
    assert_eq!(accept(9, 0x7005), (refused(0x7005, 69), Some(5)));
    assert_eq!(accept(9, 5), (Ok(Arrival::Duplicate), Some(5)));
    // After a cut of 10 s.
    assert_eq!(accept(609, 605), (Ok(Arrival::Accepted), Some(605)));
}

#[test]
fn malformed_packets_are_refused_and_change_nothing() {
    let (settings, _) = permalink::parse("#strategy=sync&grid=5");
    let world = World::new(&settings.world());
    let mut receiver = Receiver::new(
        settings.lane().sync_format(world.cube_count()),
        Replica::of(&world),
    );
    for bytes in [&[][..], &[0; 5], &[255; 40]] {
        assert!(receiver.accept(3, bytes).is_err());
    }
    assert!(
        receiver.ack().is_none() && receiver.buffer.is_empty() && receiver.offset_ticks.is_none()
    );
}
