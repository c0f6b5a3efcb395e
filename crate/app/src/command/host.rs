//! Sharing the world with a guest over a real wire. The session is the host's end.

use crate::hosting::{Hosting, is_same};
use crate::link;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use snapshot_lane::client::ClientRecording;
use snapshot_lane::together::{ConnectionLog, GuestRow, Host, ShareError, network};
use snapshot_netsim::proxy::ProxyLink;
use snapshot_physics::Inputs;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HostCommand {
    /// Shares the world. The secret is random.
    Begin { secret: [u8; 16] },
    /// Gives the second cube to a guest to steer. Does nothing if the guest is gone.
    Give { connection: u32 },
    /// Says that the newest datagram for a guest was left out, because earlier ones wait.
    LeaveOut { connection: u32 },
    /// Ends the connection of a guest, and tells the guest why. The last datagrams have to be sent afterwards.
    SendAway { connection: u32, why: String },
    /// Ends a connection that was closed.
    Close { connection: u32 },
    /// Simulates lane A's link in front of the real network, in both directions, or stops that. The simulated link follows each
    /// change of lane A's.
    Simulate { on: bool },
    /// Tells all guests why the session ends. The last datagrams have to be sent afterwards.
    End { why: String },
}

/// Error: a guest's file is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GuestFileError {
    #[error("These are no frames of a guest of this world.")]
    Frames,
    #[error("Too little is known of this guest’s network.")]
    Network,
}

/// The host of a shared world, and its guests.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hosted {
    /// Fragment of the link that a guest opens, without `#`: the settings of the world and of the connection.
    link: String,
    /// A row for each guest, in the order in which they joined.
    guests: Vec<GuestRow>,
    /// True if a further guest can join.
    has_room: bool,
    /// True if the page shows the shared world.
    is_shown: bool,
}

impl Session {
    pub(super) fn change_host(&mut self, command: HostCommand) -> Result<(), ShareError> {
        if let HostCommand::Begin { secret } = command {
            if self.played_motion().is_some() {
                return Err(ShareError::NoWorld);
            }
            let settings = *self.lab.settings();
            self.hosting = Some(Hosting {
                host: Host::new(&settings, secret)?,
                settings,
                tick: self.lab.tape().last_tick(),
                link: None,
                guest_log: None,
            });
            return Ok(());
        }
        let link = self.lane_link();
        let Some(Hosting {
            host, link: own, ..
        }) = &mut self.hosting
        else {
            return Ok(());
        };
        match command {
            HostCommand::Begin { .. } => {}
            HostCommand::Give { connection } => host.give_second_hand(connection),
            HostCommand::LeaveOut { connection } => host.leave_out(connection),
            HostCommand::SendAway { connection, why } => host.send_away(connection, &why),
            HostCommand::Close { connection } => host.close(connection),
            HostCommand::Simulate { on } => {
                *own = on.then_some(link);
                host.simulate(own.clone());
            }
            HostCommand::End { why } => host.end(&why),
        }
        Ok(())
    }

    /// Returns the link of lane A.
    fn lane_link(&self) -> ProxyLink {
        let trace = self.lab.a().link_inputs().trace.clone();
        self.lab.settings().lane().proxy_link(trace)
    }

    /// Returns the keys of the next tick: those of the guest who steers the second cube take the place of the person's.
    pub(crate) fn with_second_hand(&mut self, person: Inputs) -> Inputs {
        let next = self.lab.tape().last_tick() + 1;
        // Nobody steers while the past is played again.
        let is_at_end = self.lab.is_at_end();
        let Some(hosting) = self.hosting.as_mut().filter(|_| is_at_end) else {
            return person;
        };
        let second = u16::from(hosting.host.second_hand(next)) << 8;
        if second != 0 && self.view_state.has_acts() {
            self.leave_the_link();
            self.lab.take_over();
        }
        Inputs::from_bits(person.bits() & 0xff | second)
    }

    /// Handles a guest's datagram. A connection has a number, which is never used again.
    pub fn on_datagram(&mut self, now_ms: f64, connection: u32, bytes: &[u8]) {
        if let Some(hosting) = &mut self.hosting {
            hosting.host.receive(now_ms, connection, bytes);
        }
    }

    /// Returns the next datagram for a guest, and its connection; `None` if none is due.
    pub fn next_datagram(&mut self) -> Option<(u32, Vec<u8>)> {
        self.hosting.as_mut()?.host.next_datagram()
    }

    /// Sends the newest tick to the guests, if it was not sent yet, and does what is due at a time. Call it after each tick, and
    /// often while the world stands still. Returns false, and sends nothing, while another world is shown than the shared one.
    pub fn host_until(&mut self, now_ms: f64) -> bool {
        let (is_shown, link) = (self.shows_shared_world(), self.lane_link());
        let (lab, Some(hosting)) = (&self.lab, &mut self.hosting) else {
            return false;
        };
        if !is_shown {
            return false;
        }
        let newest = lab.tape().last_tick();
        if newest != hosting.tick && lab.is_at_end() {
            hosting.tick = newest;
            let hand = lab.tape().input(newest).unwrap_or_default();
            let truth = lab.tape().newest();
            hosting.host.tick(now_ms, newest, truth, hand.bits());
        }
        if hosting
            .link
            .as_ref()
            .is_some_and(|own| !is_same(own, &link))
        {
            hosting.link = Some(link);
            hosting.host.simulate(hosting.link.clone());
        }
        hosting.host.pass(now_ms);
        true
    }

    fn shows_shared_world(&self) -> bool {
        let made_from = self.lab.tape().made_from();
        let is_own = |hosting: &Hosting| *made_from == hosting.settings.world();
        self.played_motion().is_none() && self.hosting.as_ref().is_some_and(is_own)
    }

    pub(crate) fn hosted(&mut self) -> Option<Hosted> {
        let hosting = self.hosting.as_ref()?;
        let mut link = link::Link::default();
        link.a.settings = hosting.settings;
        Some(Hosted {
            link: link::format(&link).trim_start_matches('#').to_owned(),
            guests: hosting.host.guests(),
            has_room: hosting.host.has_room(),
            is_shown: self.shows_shared_world(),
        })
    }

    /// Shows the frames that a guest saw as lane B.
    pub(super) fn show_frames(&mut self, frames: &[u8]) -> Result<(), GuestFileError> {
        let objects = self.lab.tape().newest().len();
        let hosting = self.hosting.as_ref().ok_or(GuestFileError::Frames)?;
        let frames = ClientRecording::of_guest(frames, objects, hosting.host.ticks_ahead());
        let is_shown = self.show_guest(frames.ok_or(GuestFileError::Frames)?);
        is_shown.then_some(()).ok_or(GuestFileError::Frames)
    }

    pub(super) fn take_log(&mut self, log: &[u8]) -> Result<(), GuestFileError> {
        let hosting = self.hosting.as_mut().ok_or(GuestFileError::Network)?;
        let log = ConnectionLog::of_bytes(log).ok_or(GuestFileError::Network)?;
        hosting.guest_log = Some(log);
        Ok(())
    }

    /// Returns the real network between the host and a guest, whose log was received, as a trace file with a `path`.
    pub(crate) fn network_of_guest(&mut self, connection: u32) -> Result<String, GuestFileError> {
        let rows = self.hosting.as_ref().and_then(|hosting| {
            let own = hosting.host.log(connection)?;
            network(own, hosting.guest_log.as_ref()?)
        });
        rows.ok_or(GuestFileError::Network)
    }
}
