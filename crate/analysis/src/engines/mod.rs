//! Models of other engines: the bytes that each sends about moving objects at its default settings, exact to the byte.
//!
//! A model reads the objects as a game would hand them over, and decides by its own thresholds which of them it sends. It
//! counts the payload alone. The row of each engine says what is left out. Engines change, and the models age: each row names
//! its version. Nothing else of the project changes with them.

mod engine;
mod netcode_entities;
mod objects;
mod quake3;
mod turns;

pub use engine::{Engine, Send, SendCounts};

use objects::Objects;
use snapshot_codec::CubeState;

/// Facts about an engine and its model. Only exact models have a row.
pub struct EngineFacts {
    /// Name of the engine in the JSON.
    pub id: &'static str,
    /// Name of the engine for people.
    pub name: &'static str,
    pub version: &'static str,
    /// The source that the model was made from.
    pub source: &'static str,
    /// Number of sends a second by default, at most one a tick of the motion.
    pub rate_hz: u32,
    /// Delivery guarantee and baseline of the messages.
    pub delivery: &'static str,
    /// Parts of the engine's traffic that the model leaves out.
    pub leaves_out: &'static str,
    /// Makes the model of an engine that begins with these objects.
    pub make: fn(&[CubeState]) -> Box<dyn Engine>,
}

/// All engines, by name.
pub static ENGINES: [EngineFacts; 7] = [
    EngineFacts {
        id: "unity-ngo",
        name: "Unity Netcode for GameObjects",
        version: "1.11",
        source: "NetworkTransform.cs, NetworkTransformMessage.cs, BytePacker.cs",
        rate_hz: 30,
        delivery: "reliable; the last sent values are the baseline",
        leaves_out: "spawning, acknowledgements, the transport's headers; ticks begin at 0",
        make: |initial| Box::new(Objects::new(&objects::NETCODE_OBJECTS, initial)),
    },
    EngineFacts {
        id: "unity-entities",
        name: "Unity Netcode for Entities",
        version: "1.13",
        source: "GhostTransformVariants.cs, GhostDeltaPredictor.cs, GhostChunkSerializer.cs, StreamCompressionModel.cs",
        rate_hz: 60,
        delivery: "unreliable; up to three acknowledged baselines, and a snapshot of 1,400 bytes at most",
        leaves_out: "spawning, commands, importance, sizes of ghosts; chunks have 64 ghosts",
        make: |initial| Box::new(netcode_entities::NetcodeEntities::new(initial)),
    },
    EngineFacts {
        id: "mirror-reliable",
        name: "Mirror, Network Transform (Reliable)",
        version: "V3, 2024",
        source: "NetworkTransformReliable.cs, DeltaCompression.cs, Batcher.cs",
        rate_hz: 60,
        delivery: "reliable; deltas to what was sent last",
        leaves_out: "spawning, acknowledgements and sending again, the transport's headers",
        make: |initial| Box::new(Objects::new(&objects::MIRROR_RELIABLE, initial)),
    },
    EngineFacts {
        id: "mirror-unreliable",
        name: "Mirror, Network Transform (Unreliable)",
        version: "V2, 2024",
        source: "NetworkTransformUnreliable.cs, TransformSyncData.cs, Batcher.cs",
        rate_hz: 60,
        delivery: "unreliable; no baseline",
        leaves_out: "spawning, the transport's headers",
        make: |initial| Box::new(Objects::new(&objects::MIRROR_UNRELIABLE, initial)),
    },
    EngineFacts {
        id: "godot-4",
        name: "Godot 4 MultiplayerSynchronizer, position and quaternion",
        version: "4",
        source: "scene_replication_interface.cpp, marshalls.cpp",
        rate_hz: 60,
        delivery: "unreliable; every object in every frame, of which 60 a second are taken",
        leaves_out: "spawning, the transport's headers",
        make: |initial| Box::new(Objects::new(&objects::GODOT, initial)),
    },
    EngineFacts {
        id: "bevy-replicon",
        name: "bevy_replicon, and lightyear 0.29 on it",
        version: "0.42",
        source: "mutations.rs",
        rate_hz: 64,
        delivery: "unreliable; whole components until they are acknowledged",
        leaves_out: "spawning, acknowledgements, the transport's headers; the messages of a tick share their fate",
        make: |initial| Box::new(Objects::new(&objects::REPLICON, initial)),
    },
    EngineFacts {
        id: "quake-3",
        name: "Quake 3",
        version: "1.32",
        source: "msg.c, sv_snapshot.c",
        rate_hz: 20,
        delivery: "unreliable; deltas to the acknowledged frame",
        leaves_out: "Huffman, which follows; players' states, areas, fragments, and the limit of 256 entities a frame",
        make: |initial| Box::new(quake3::Quake3::new(initial)),
    },
];
