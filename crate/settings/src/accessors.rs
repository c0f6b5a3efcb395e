//! The accessor of each setting, which its declaration names and types.

use crate::choices::*;
use crate::kind::{Kind, Limit, OrAuto, SetDelay, Share};
use crate::link_presets::ChosenPreset;
use crate::schema::{accessors, settings};
use crate::{Direction, Interpolation, Key, LaneSettings, Settings, Strategy};
use snapshot_codec::{Class, Rung};
use snapshot_netsim::channel::DelayShape;
use snapshot_physics::scene::SceneKind;
use snapshot_physics::world::Rival;

accessors!();
