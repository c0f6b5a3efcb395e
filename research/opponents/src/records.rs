//! Changed cubes as records: bitcode and postcard, as a Rust game sends them without a thought, and sdec's masks and deltas.

use crate::contest::Opponent;
use crate::exchange::Exchange;
use sdec::{
    CodecLimits, CodecScratch, ComponentSnapshot, EntityId, EntitySnapshot, FieldValue, Snapshot,
    SnapshotTick, WireLimits, apply_delta_snapshot, encode_delta_snapshot_with_scratch,
};
use sdec_fields::{ComponentDef, ComponentId, FieldCodec, FieldDef, FieldId, Schema};
use serde::{Deserialize, Serialize};
use snapshot_codec::{Cube, Life};

/// A cube that differs from its baseline.
#[derive(bitcode::Encode, bitcode::Decode, Serialize, Deserialize)]
struct Changed {
    index: u16,
    position: [i32; 3],
    /// The two bits of the largest component; above them the bits of the life, 0 where nothing comes or goes.
    largest_and_life: u8,
    codes: [u16; 3],
    interacting: bool,
}

fn changed(baseline: &[Cube], snapshot: &[Cube]) -> Vec<Changed> {
    let cubes = snapshot.iter().zip(baseline).enumerate();
    let differing = cubes.filter(|(_, (cube, base))| cube != base);
    let record = |(index, (cube, _)): (usize, (&Cube, &Cube))| {
        let [largest, codes @ ..] = cube.orientation;
        Changed {
            index: index as u16,
            position: cube.position,
            largest_and_life: largest as u8 | cube.life.code() << 2,
            codes: codes.map(|code| code as u16),
            interacting: cube.interacting,
        }
    };
    differing.map(record).collect()
}

fn apply(baseline: &[Cube], changed: Vec<Changed>, snapshot: &mut Vec<Cube>) -> Result<(), String> {
    snapshot.clear();
    snapshot.extend_from_slice(baseline);
    for record in changed {
        let [a, b, c] = record.codes.map(i32::from);
        let cube = snapshot.get_mut(usize::from(record.index));
        let (largest, life) = (
            record.largest_and_life & 3,
            record.largest_and_life >> 2 & 3,
        );
        *cube.ok_or("an index of no cube")? = Cube {
            position: record.position,
            orientation: [largest.into(), a, b, c],
            interacting: record.interacting,
            life: Life::from_code(life).expect("two bits"),
            ..Cube::default()
        };
    }
    Ok(())
}

/// Records by bitcode.
#[derive(Default)]
pub struct Bitcode(bitcode::Buffer);

impl Opponent for Bitcode {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        packet.clear();
        packet.extend_from_slice(self.0.encode(&changed(baseline, snapshot)));
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let changed = self.0.decode(packet).map_err(|error| error.to_string())?;
        apply(baseline, changed, snapshot)
    }
}

/// Records by postcard.
pub struct Postcard;

impl Opponent for Postcard {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        *packet = postcard::to_stdvec(&changed(baseline, snapshot)).expect("there is room");
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let changed = postcard::from_bytes(packet).map_err(|error| error.to_string())?;
        apply(baseline, changed, snapshot)
    }
}

/// sdec: a component each for position, orientation and flag, and with slots for the life; a field is sent if changed.
/// Its header is not counted.
pub struct Sdec {
    schema: Schema,
    has_slots: bool,
    limits: CodecLimits,
    wire_limits: WireLimits,
    scratch: CodecScratch,
    buffer: Vec<u8>,
}

/// Ticks are told by the header, which is not counted; both ends know them.
const BASELINE_TICK: SnapshotTick = SnapshotTick::new(1);
const TICK: SnapshotTick = SnapshotTick::new(2);

impl Sdec {
    /// With the bits and bounds of an exchange.
    pub fn new(exchange: &Exchange) -> Result<Sdec, String> {
        let (bits, bounds) = (exchange.format.bits(), exchange.format.bounds());
        let step = |metres: i32| i64::from(metres) << bits.position();
        let axis = |i: usize| {
            let (lower, upper) = (step(bounds.lower()[i]), step(bounds.upper()[i]) - 1);
            FieldCodec::fixed_point(lower, upper, 1 << bits.position())
        };
        let code = || FieldCodec::uint(bits.orientation() as u8);
        let mut components = vec![
            vec![axis(0), axis(1), axis(2)],
            vec![FieldCodec::uint(2), code(), code(), code()],
            vec![FieldCodec::bool()],
        ];
        let has_slots = exchange.format.has_slots();
        if has_slots {
            components.push(vec![FieldCodec::uint(2)]);
        }
        let components = (1..).zip(components).map(|(id, fields)| {
            let fields = (1..).zip(fields).map(|(field, codec)| {
                FieldDef::with_threshold(FieldId::new(field).expect("from 1 on"), codec, 0)
            });
            let id = ComponentId::new(id).expect("from 1 on");
            ComponentDef::with_fields(id, fields.collect())
        });
        let schema = Schema::new(components.collect()).map_err(|error| format!("{error:?}"))?;
        Ok(Sdec {
            schema,
            has_slots,
            limits: CodecLimits::unlimited(),
            wire_limits: WireLimits::unlimited(),
            scratch: CodecScratch::new(),
            buffer: vec![0; 64 * (exchange.format.cube_count() + 1)],
        })
    }
}

fn snapshot_of(tick: SnapshotTick, cubes: &[Cube], has_slots: bool) -> Snapshot {
    let entities = (0..).zip(cubes).map(|(index, cube)| {
        let position = cube
            .position
            .map(|step| FieldValue::FixedPoint(step.into()));
        let orientation = cube.orientation.map(|code| FieldValue::UInt(code as u64));
        let mut fields = vec![
            position.to_vec(),
            orientation.to_vec(),
            vec![FieldValue::Bool(cube.interacting)],
        ];
        if has_slots {
            fields.push(vec![FieldValue::UInt(cube.life.code().into())]);
        }
        let components = (1..).zip(fields).map(|(id, fields)| ComponentSnapshot {
            id: ComponentId::new(id).expect("from 1 on"),
            fields,
        });
        EntitySnapshot {
            id: EntityId::new(index),
            components: components.collect(),
        }
    });
    Snapshot {
        tick,
        entities: entities.collect(),
    }
}

fn cube_of(entity: &EntitySnapshot) -> Option<Cube> {
    let number = |component: usize, field: usize| {
        let component = entity.components.get(component)?;
        Some(match *component.fields.get(field)? {
            FieldValue::Bool(flag) => i32::from(flag),
            FieldValue::UInt(value) | FieldValue::VarUInt(value) => value as i32,
            FieldValue::SInt(value)
            | FieldValue::VarSInt(value)
            | FieldValue::FixedPoint(value) => value as i32,
        })
    };
    // Without slots there is no such component.
    let life = number(3, 0).unwrap_or(0);
    Some(Cube {
        position: [number(0, 0)?, number(0, 1)?, number(0, 2)?],
        orientation: [number(1, 0)?, number(1, 1)?, number(1, 2)?, number(1, 3)?],
        interacting: number(2, 0)? != 0,
        life: Life::from_code(u8::try_from(life).ok()?)?,
        ..Cube::default()
    })
}

impl Opponent for Sdec {
    fn encode(&mut self, baseline: &[Cube], snapshot: &[Cube], packet: &mut Vec<u8>) {
        let (baseline, snapshot) = (
            snapshot_of(BASELINE_TICK, baseline, self.has_slots),
            snapshot_of(TICK, snapshot, self.has_slots),
        );
        let length = encode_delta_snapshot_with_scratch(
            &self.schema,
            TICK,
            BASELINE_TICK,
            &baseline,
            &snapshot,
            &self.limits,
            &mut self.scratch,
            &mut self.buffer,
        );
        let length = length.expect("there is room");
        packet.clear();
        packet.extend_from_slice(&self.buffer[sdec_headers::HEADER_SIZE..length]);
    }

    fn decode(
        &mut self,
        baseline: &[Cube],
        packet: &[u8],
        snapshot: &mut Vec<Cube>,
    ) -> Result<(), String> {
        let header = sdec_headers::PacketHeader::delta_snapshot(
            sdec_fields::schema_hash(&self.schema),
            TICK.raw(),
            BASELINE_TICK.raw(),
            packet.len() as u32,
        );
        let (head, rest) = self.buffer.split_at_mut(sdec_headers::HEADER_SIZE);
        sdec_headers::encode_header(&header, head).map_err(|error| format!("{error:?}"))?;
        rest[..packet.len()].copy_from_slice(packet);
        let bytes = &self.buffer[..sdec_headers::HEADER_SIZE + packet.len()];
        let baseline = snapshot_of(BASELINE_TICK, baseline, self.has_slots);
        let told = apply_delta_snapshot(
            &self.schema,
            &baseline,
            bytes,
            &self.wire_limits,
            &self.limits,
        );
        let told = told.map_err(|error| error.to_string())?;
        let cubes: Option<Vec<Cube>> = told.entities.iter().map(cube_of).collect();
        *snapshot = cubes.ok_or("a cube without all of its fields")?;
        Ok(())
    }
}
