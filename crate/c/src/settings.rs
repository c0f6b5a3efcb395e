//! Settings and objects, as C has them.

use snapshot_codec::ConfigError;
use snapshot_replication::{FlatSettings, Object, ObjectField, Settings, SettingsError};

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
    /// Upper limit of the number of inputs in a client's datagram, 1 to 64.
    pub input_repeats: u32,
    /// 1 to send an object outside the bounds at the nearest position within; 0 to leave it out.
    pub clamp: u32,
    /// The client's method to fill the time between two snapshots: 0 none, 1 linear, 2 slerp, 3 hermite, 4 extrapolate.
    pub interpolation: u32,
    /// Time by which inputs should arrive before the server needs them, ms. A negative value: one tick, plus one for each further
    /// copy that the measured loss calls for.
    pub input_lead_ms: f64,
    /// Budget of all datagrams to a client, 8 to 1,000,000 kbit/s with the headers of IP and UDP; a packet is one datagram then,
    /// with the objects that fit. A negative value: no limit, and each packet has all objects.
    pub budget_kbps: f64,
    /// 1 if a client's budget falls where its way has a queue, else 0.
    pub congestion_control: u32,
    /// Upper limit of the datagrams of a packet with a budget, 1 to 16. It has further ones if the budget has room for full
    /// ones. If one of them is lost, all objects of the packet are sent again. With congestion control a packet is one.
    pub datagrams_a_packet: u32,
    /// Budget of all datagrams of a client to the server, 8 to 1,000,000 kbit/s with the headers of IP and UDP. A negative value:
    /// no limit.
    pub upload_kbps: f64,
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
    /// At a client with a budget: age of the object's newest state when the newest packet left the server, ms. Elsewhere 0.
    pub age_ms: f32,
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
            age_ms: 0.0,
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
            age_ms: object.age_ms,
        }
    }
}

impl SnapSettings {
    pub(crate) fn read(&self) -> Result<Settings, u32> {
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
        // A number stands for none by its sign alone.
        if self.budget_kbps.is_nan() || self.upload_kbps.is_nan() {
            return Err(SettingsError::Budget.number());
        }
        let unless_negative = |ms: f64| if ms < 0.0 { f64::NAN } else { ms };
        let [lower_x, lower_y, lower_z] = self.lower.map(f64::from);
        let [upper_x, upper_y, upper_z] = self.upper.map(f64::from);
        let flat = FlatSettings {
            objects: self.objects.into(),
            tick_rate: self.tick_rate.into(),
            send_rate: self.send_rate.into(),
            lower_x,
            lower_y,
            lower_z,
            upper_x,
            upper_y,
            upper_z,
            position_bits: self.position_bits.into(),
            orientation_bits: self.orientation_bits.into(),
            velocity_bits: self.velocity_bits.into(),
            rung: self.rung.into(),
            class: self.chained.into(),
            mtu: self.mtu.into(),
            kind_bits: self.kind_bits.into(),
            clients: self.clients.into(),
            input_repeats: self.input_repeats.into(),
            input_lead_ms: unless_negative(self.input_lead_ms),
            budget_kbps: unless_negative(self.budget_kbps),
            upload_kbps: unless_negative(self.upload_kbps),
            congestion_control: self.congestion_control.into(),
            datagrams_a_packet: self.datagrams_a_packet.into(),
            out_of_bounds: self.clamp.into(),
            interpolation: self.interpolation.into(),
            delay_ms: unless_negative(self.delay_ms),
            freezes_per_minute: self.freezes_per_minute,
            speed_change: self.speed_change,
            most_delay_ms: self.most_delay_ms,
        };
        flat.settings(fields.collect::<Result<_, u32>>()?)
    }
}

/// Fills settings with defaults for that many objects, without fields.
///
/// # Safety
/// `settings` points to settings; they need not be initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snap_settings(objects: u32, settings: *mut SnapSettings) -> u32 {
    guard(|| {
        let usual = FlatSettings::from(&Settings::new(objects as usize));
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
            tick_rate: usual.tick_rate as u32,
            send_rate: usual.send_rate as u32,
            lower: [usual.lower_x, usual.lower_y, usual.lower_z].map(|metres| metres as i32),
            upper: [usual.upper_x, usual.upper_y, usual.upper_z].map(|metres| metres as i32),
            position_bits: usual.position_bits as u32,
            orientation_bits: usual.orientation_bits as u32,
            velocity_bits: usual.velocity_bits as u32,
            rung: usual.rung as u32,
            chained: usual.class as u32,
            mtu: usual.mtu as u32,
            kind_bits: usual.kind_bits as u32,
            clients: usual.clients as u32,
            input_repeats: usual.input_repeats as u32,
            clamp: usual.out_of_bounds as u32,
            interpolation: usual.interpolation as u32,
            input_lead_ms: -1.0,
            budget_kbps: -1.0,
            congestion_control: 0,
            datagrams_a_packet: usual.datagrams_a_packet as u32,
            upload_kbps: -1.0,
            delay_ms: -1.0,
            freezes_per_minute: usual.freezes_per_minute,
            speed_change: usual.speed_change,
            most_delay_ms: usual.most_delay_ms,
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
