use super::*;

#[test]
fn the_grid_sleeps_bit_identical_until_touched() {
    let settings = WorldSettings::default();
    let initial = World::initial(&settings);
    let mut world = World::new(&settings);
    for _ in 0..60 {
        world.step(Input::NONE);
    }
    assert_eq!(world.truth()[1..], initial[1..]);
}
