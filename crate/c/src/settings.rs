//! Settings and objects, as C has them.

use snapshot_codec::{Bounds, Class, ConfigError, QuantisationBits, Rung};
use snapshot_replication::{
    Aim, Interpolation, Object, ObjectField, OutOfBounds, Playout, Settings,
};

use crate::{SNAP_ARGUMENT, SNAP_SETTING, borrow, guard};

/// Upper limit of the number of an object's fields.
pub const SNAP_FIELDS_MAX: usize = 16;
/// Length of a field's name, bytes, with the zero at its end.
pub const SNAP_NAME_BYTES: usize = 32;

/// A field that each object has.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SnapField {
    /// Name of the field; it ends with a zero.
    pub name: [u8; SNAP_NAME_BYTES],
    /// Size of the field, bits, 1 to 24.
    pub bits: u32,
    /// 1 if the field mostly changes by a small amount, else 0.
    pub counter: u32,
}

/// The settings that server and clients agree on. snap_settings fills them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SnapSettings {
    /// Upper limit of the number of objects at a time, 1 to 4096.
    pub objects: u32,
    /// The server's ticks a second.
    pub tick_rate: u32,
    /// Packets a second for each client.
    pub send_rate: u32,
    /// Lower bounds of positions, m; by default -256, -256 and 0.
    pub lower: [i32; 3],
    /// Upper bounds of positions, m; by default 256, 256 and 32.
    pub upper: [i32; 3],
    /// Number of fractional bits of a position in m.
    pub position_bits: u32,
    /// Number of bits of an orientation's component.
    pub orientation_bits: u32,
    /// Number of fractional bits of a velocity in m/s.
    pub velocity_bits: u32,
    /// The encoding of snapshots, a rung 0 to 12 by FORMAT.md; 12 is arithmetic. 13 if the library was built with it.
    pub rung: u32,
    /// 1 for chained packets, 0 for strict ones.
    pub chained: u32,
    /// Upper limit of a datagram's size, bytes: a buffer of this size is enough for any datagram.
    pub mtu: u32,
    /// Size of an object's kind, bits, 0 to 16.
    pub kind_bits: u32,
    /// Upper limit of the number of clients at a time.
    pub clients: u32,
    /// 1 to send an object outside the bounds at the nearest position within; 0 to leave it out.
    pub clamp: u32,
    /// The client's method to fill the time between two snapshots: 0 none, 1 linear, 2 slerp, 3 hermite, 4 extrapolate.
    pub interpolation: u32,
    /// Constant playout delay, ms, counted from the fastest packets. A negative value makes the delay adapt to the network.
    pub delay_ms: f64,
    /// For an adaptive delay: number of freezes a minute that play may have, above 0.
    pub freezes_per_minute: f64,
    /// For an adaptive delay: greatest change of the speed of play, 0 to 0.5.
    pub speed_change: f64,
    /// For an adaptive delay: its upper limit, ms.
    pub most_delay_ms: f64,
    /// Number of declared fields.
    pub field_count: u32,
    /// The declared fields; the first `field_count` count.
    pub fields: [SnapField; SNAP_FIELDS_MAX],
}

/// Flag: the linear velocity of an object is known.
pub const SNAP_VELOCITY: u32 = 1;
/// Flag: the angular velocity of an object is known.
pub const SNAP_ANGULAR_VELOCITY: u32 = 2;

/// An object of the game.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SnapObject {
    /// The object's own number. No two objects have the same number at one time.
    pub id: u32,
    /// The game's number for the type of the object.
    pub kind: u32,
    /// Position of the centre, m.
    pub position: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
    /// Linear velocity, m/s.
    pub velocity: [f32; 3],
    /// Angular velocity, rad/s.
    pub angular_velocity: [f32; 3],
    /// Flags of the known velocities: SNAP_VELOCITY, SNAP_ANGULAR_VELOCITY, their sum for both, or 0 for none. Rungs 0 to 3
    /// send the linear velocity to all clients. Other velocities are sent to clients that see the object in detail.
    pub velocities: u32,
    /// Values of the declared fields, in the order of the settings.
    pub fields: [u32; SNAP_FIELDS_MAX],
    /// 1 if the object jumped, else 0.
    pub teleported: u32,
}

impl From<&SnapObject> for Object {
    fn from(object: &SnapObject) -> Self {
        let known = |flag| object.velocities & flag != 0;
        Self {
            id: object.id,
            kind: object.kind,
            position: object.position,
            orientation: object.orientation,
            velocity: known(SNAP_VELOCITY).then_some(object.velocity),
            angular_velocity: known(SNAP_ANGULAR_VELOCITY).then_some(object.angular_velocity),
            fields: object.fields,
            teleported: object.teleported != 0,
        }
    }
}

impl From<&Object> for SnapObject {
    fn from(object: &Object) -> Self {
        Self {
            id: object.id,
            kind: object.kind,
            position: object.position,
            orientation: object.orientation,
            velocity: object.velocity.unwrap_or_default(),
            angular_velocity: object.angular_velocity.unwrap_or_default(),
            velocities: u32::from(object.velocity.is_some()) * SNAP_VELOCITY
                + u32::from(object.angular_velocity.is_some()) * SNAP_ANGULAR_VELOCITY,
            fields: object.fields,
            teleported: object.teleported.into(),
        }
    }
}

impl SnapSettings {
    fn aim(&self) -> Result<Aim, u32> {
        let is_aim = self.freezes_per_minute > 0.0
            && (0.0..=0.5).contains(&self.speed_change)
            && self.most_delay_ms >= 0.0;
        let aim = Aim {
            freezes_per_minute: self.freezes_per_minute,
            change: self.speed_change,
            most_delay_ms: self.most_delay_ms,
        };
        is_aim.then_some(aim).ok_or(SNAP_SETTING)
    }

    pub(crate) fn read(&self) -> Result<Settings, u32> {
        let refused = |error: ConfigError| error.number();
        let bits = QuantisationBits::new(
            self.position_bits,
            self.orientation_bits,
            self.velocity_bits,
        );
        let usual = Settings::new(self.objects as usize);
        let fields = self.fields.get(..self.field_count as usize);
        let fields = fields.ok_or(ConfigError::FieldCount.number())?;
        let fields = fields.iter().map(|field| {
            let end = field.name.iter().position(|&byte| byte == 0);
            let name = &field.name[..end.ok_or(SNAP_SETTING)?];
            let name = std::str::from_utf8(name).map_err(|_| SNAP_ARGUMENT)?;
            Ok(ObjectField {
                name: name.to_owned(),
                bits: field.bits,
                counter: field.counter != 0,
            })
        });
        Ok(Settings {
            tick_rate: self.tick_rate,
            send_rate: self.send_rate,
            bounds: Bounds::new(self.lower, self.upper).map_err(refused)?,
            bits: bits.map_err(refused)?,
            rung: *Rung::ALL.get(self.rung as usize).ok_or(SNAP_SETTING)?,
            class: Class::ALL[usize::from(self.chained != 0)],
            mtu: self.mtu as usize,
            kind_bits: self.kind_bits,
            clients: self.clients as usize,
            out_of_bounds: match self.clamp {
                0 => OutOfBounds::LeaveOut,
                _ => OutOfBounds::Clamp,
            },
            fields: fields.collect::<Result<_, u32>>()?,
            interpolation: *Interpolation::ALL
                .get(self.interpolation as usize)
                .ok_or(SNAP_SETTING)?,
            playout: if self.delay_ms >= 0.0 {
                Playout::Fixed {
                    delay_ms: self.delay_ms,
                }
            } else {
                Playout::Adaptive(self.aim()?)
            },
            ..usual
        })
    }
}

/// Fills settings with defaults for that many objects, without fields.
///
/// # Safety
/// `settings` points to settings; they need not be initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_settings(objects: u32, settings: *mut SnapSettings) -> u32 {
    guard(|| {
        let usual = Settings::new(objects as usize);
        let aim = Aim::default();
        let none = SnapField {
            name: [0; SNAP_NAME_BYTES],
            bits: 0,
            counter: 0,
        };
        if settings.is_null() {
            return Err(SNAP_ARGUMENT);
        }
        let filled = SnapSettings {
            objects,
            tick_rate: usual.tick_rate,
            send_rate: usual.send_rate,
            lower: usual.bounds.lower(),
            upper: usual.bounds.upper(),
            position_bits: usual.bits.position(),
            orientation_bits: usual.bits.orientation(),
            velocity_bits: usual.bits.velocity(),
            rung: usual.rung.number().into(),
            chained: 0,
            mtu: usual.mtu as u32,
            kind_bits: usual.kind_bits,
            clients: usual.clients as u32,
            clamp: 0,
            interpolation: usual.interpolation as u32,
            delay_ms: -1.0,
            freezes_per_minute: aim.freezes_per_minute,
            speed_change: aim.change,
            most_delay_ms: aim.most_delay_ms,
            field_count: 0,
            fields: [none; SNAP_FIELDS_MAX],
        };
        // SAFETY: it is not null, and the caller says that it points to settings.
        unsafe { settings.write(filled) };
        Ok(())
    })
}

/// Reads settings of the caller.
///
/// # Safety
/// The pointer is null, or points to settings.
pub(crate) unsafe fn settings_of(settings: *const SnapSettings) -> Result<Settings, u32> {
    // SAFETY: the caller says so; they are only read.
    unsafe { borrow(settings.cast_mut()) }?.read()
}
