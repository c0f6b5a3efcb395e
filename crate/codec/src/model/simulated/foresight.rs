//! The interface to the simulation that both ends of rung `simulated` run.

use crate::cube::CubeState;

/// A simulation that both ends run from the same state with the same inputs, bit for bit alike. Its result must depend on
/// nothing else: not on earlier calls, nor on the machine.
pub trait Foresight {
    /// Simulates `inputs.len()` ticks (1 to 48), and replaces each cube's state by its state after them. `sequence` is the tick
    /// of the given states, modulo 65,536. Inputs are six bits each, oldest first. States are finite and within the format's
    /// bounds; velocities are estimates; cubes not known to move are at rest.
    fn foresee(&mut self, sequence: u16, inputs: &[u8], cubes: &mut [CubeState]);

    /// Begins or continues the simulation that a packet will need in `due_ticks` ticks, with the inputs known so far. A sender
    /// calls this while it waits for that packet, to spread the work over several ticks. `cubes` returns the states to start
    /// from, if there is anything to simulate. Results do not depend on this call, so an implementation may ignore it.
    fn begin(
        &mut self,
        _sequence: u16,
        _inputs: &[u8],
        _due_ticks: usize,
        _cubes: &mut dyn FnMut() -> Option<Vec<CubeState>>,
    ) {
    }
}

/// Dead reckoning, a foresight without an engine: each cube keeps its velocity.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeadReckoning;

impl Foresight for DeadReckoning {
    fn foresee(&mut self, _sequence: u16, inputs: &[u8], cubes: &mut [CubeState]) {
        let seconds = inputs.len() as f32 * super::memory::TICK_S;
        for cube in cubes.iter_mut().filter(|cube| !cube.at_rest) {
            cube.position =
                core::array::from_fn(|i| cube.position[i] + cube.linear_velocity[i] * seconds);
            cube.orientation = super::memory::turned(
                cube.orientation,
                cube.angular_velocity.map(|speed| speed * seconds),
            );
        }
    }
}

/// The inputs and the simulation by which an encoder or decoder simulates up to a packet's snapshot.
pub struct Lookahead<'a> {
    /// The snapshot's tick, modulo 65,536.
    pub sequence: u16,
    /// Inputs for an encoder to send, six bits each: one for each tick up to the snapshot, newest last. Missing older inputs
    /// count as no key pressed. A decoder reads the inputs from the packet.
    pub inputs: &'a [u8],
    /// The simulation that both ends run.
    pub foresight: &'a mut dyn Foresight,
}

/// Makes the look-ahead for a rung without a simulation, from the packet's sequence alone.
impl From<u16> for Lookahead<'_> {
    fn from(sequence: u16) -> Self {
        // A box of nothing takes no memory.
        Self::without_inputs(sequence, Box::leak(Box::new(DeadReckoning)))
    }
}

impl<'a> Lookahead<'a> {
    /// Makes a look-ahead without inputs, for a decoder.
    pub(crate) fn without_inputs(sequence: u16, foresight: &'a mut dyn Foresight) -> Self {
        Self {
            sequence,
            inputs: &[],
            foresight,
        }
    }
}
