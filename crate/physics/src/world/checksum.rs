//! A checksum of the whole physics state, for lockstep: worlds with equal checksums stay equal under equal inputs.

use super::World;
use snapshot_base::hash::Fnv;

impl World {
    /// Returns a hash over the whole state that a step hands on to the next. It covers the states that a network sends, as
    /// [`World::state_hash`] does. It also covers the tick, the clocks of rest and of `interacting`, and the impulses with
    /// which the solver starts warm. Rapier's broad phase and islands are left out, because they follow from the hashed
    /// state. In a world that [`World::set_states`] has corrected, it does not cover the records that hold corrected cubes:
    /// lockstep corrects none.
    pub fn checksum(&self) -> u64 {
        let mut hash = Fnv::new();
        let parts = [self.state_hash(), self.tick];
        for part in parts {
            hash.add_u32(part as u32);
            hash.add_u32((part >> 32) as u32);
        }
        let (clocks, impulses) = self.simulation.hidden_state();
        clocks.into_iter().for_each(|clocks| hash.add_bytes(clocks));
        impulses.for_each(|impulse| hash.add_u32(impulse.to_bits()));
        hash.finish()
    }

    /// Flips the lowest bit of the player's height, which moves it by less than a micrometre.
    pub fn disturb_one_bit(&mut self) {
        let player = &mut self.truth[0];
        player.position[2] = f32::from_bits(player.position[2].to_bits() ^ 1);
        self.simulation.move_to(0, player.position);
    }

    /// Returns a world of the same cubes, inserted into the physics in the opposite order. It looks the same, but its solver
    /// behaves differently.
    pub fn reinserted(&self) -> World {
        World {
            simulation: (self.simulation).reinserted(&self.truth, &self.made_from),
            truth: self.truth.clone(),
            ..*self
        }
    }
}

#[cfg(all(test, feature = "rapier"))]
mod tests {
    use super::super::WorldSettings;
    use super::*;
    use crate::Input;

    #[test]
    fn the_checksum_is_that_of_a_fork_and_covers_a_bit_and_what_is_not_seen() {
        let mut world = World::new(&WorldSettings {
            grid_side: 8,
            ..WorldSettings::default()
        });
        // The player begins to gather cubes.
        (0..150).for_each(|_| world.step(Input::PULL));
        let mut fork = world.fork();
        assert_eq!(fork.checksum(), world.checksum());
        fork.disturb_one_bit();
        assert_ne!(fork.checksum(), world.checksum());
        assert_ne!(fork.state_hash(), world.state_hash());
        let reinserted = world.reinserted();
        assert_eq!(reinserted.state_hash(), world.state_hash());
        assert_ne!(reinserted.checksum(), world.checksum(), "it starts cold");
        let mut other = world.fork();
        other.tick += 1;
        assert_ne!(other.checksum(), world.checksum());
    }
}
