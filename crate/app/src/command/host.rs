//! Sharing the world with a guest over a real wire. The session is the host's end.

use crate::hosting::{Hosting, is_same};
use crate::link;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use snapshot_lane::client::ClientRecording;
use snapshot_lane::together::{ConnectionLog, GuestRow, Host, ShareError, network};
use snapshot_netsim::proxy::ProxyLink;
use snapshot_settings::Settings;

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
                link_text: link_text(&settings),
                settings,
                has_ended: false,
                tick: self.lab.tape().last_tick(),
                link: None,
                guest_log: None,
            });
            return Ok(());
        }
        let link = self.lane_link();
        let Some(hosting) = &mut self.hosting else {
            return Ok(());
        };
        let Hosting {
            host, link: own, ..
        } = hosting;
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
            HostCommand::End { why } => {
                host.end(&why);
                hosting.has_ended = true;
            }
        }
        Ok(())
    }

    /// Returns the link of lane A.
    fn lane_link(&self) -> ProxyLink {
        let trace = self.lab.a().link_inputs().trace.clone();
        self.lab.settings().lane().proxy_link(trace)
    }

    /// Handles a guest's datagram. A connection has a number, which is never used again.
    pub fn on_datagram(&mut self, now_ms: f64, connection: u32, bytes: &[u8]) {
        if let Some(hosting) = &mut self.hosting {
            hosting.host.receive(now_ms, connection, bytes);
        }
    }

    /// Returns the next datagram for a guest, and its connection; `None` if none is due.
    pub fn next_datagram(&mut self) -> Option<(u32, Vec<u8>)> {
        let hosting = self.hosting.as_mut()?;
        let next = hosting.host.next_datagram();
        if next.is_none() && hosting.has_ended {
            self.hosting = None;
        }
        next
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

    pub(crate) fn hosted(&mut self) -> Option<Hosted> {
        let hosting = self.hosting.as_ref()?;
        Some(Hosted {
            link: hosting.link_text.clone(),
            guests: hosting.host.guests(),
            has_room: hosting.host.has_room(),
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

    pub(super) fn take_log(&mut self, connection: u32, log: &[u8]) -> Result<(), GuestFileError> {
        let hosting = self.hosting.as_mut().ok_or(GuestFileError::Network)?;
        let log = ConnectionLog::of_bytes(log).ok_or(GuestFileError::Network)?;
        hosting.guest_log = Some((connection, log));
        Ok(())
    }

    /// Returns the real network between the host and a guest, whose log was received, as a trace file with a `path`.
    pub(crate) fn network_of_guest(&mut self, connection: u32) -> Result<String, GuestFileError> {
        let rows = self.hosting.as_mut().and_then(|hosting| {
            let (of, log) = hosting.guest_log.take()?;
            let own = hosting.host.log(connection).filter(|_| of == connection)?;
            network(own, &log)
        });
        rows.ok_or(GuestFileError::Network)
    }
}

/// Returns the fragment of the link of these settings, without `#`.
fn link_text(settings: &Settings) -> String {
    let mut link = link::Link::default();
    link.a.settings = *settings;
    link::format(&link).trim_start_matches('#').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::source::Received;
    use crate::command::{Command, Refusal};
    use snapshot_lane::together::{Guest, GuestStatus};
    use snapshot_physics::Inputs;

    fn host(session: &mut Session, command: HostCommand) {
        session.apply(Command::Host(command)).unwrap();
    }

    fn shared(link: &str) -> Session {
        let mut session = Session::new(link);
        let secret = [1; 16];
        host(&mut session, HostCommand::Begin { secret });
        session
    }

    /// Plays ticks of a host with a guest, who holds a key in each second stretch of 100 ticks.
    fn run(session: &mut Session, guest: &mut Guest, now_ms: &mut f64, ticks: u32) {
        for _ in 0..ticks {
            session.tick(Inputs::from_bits(1));
            assert!(session.host_until(*now_ms));
            while let Some((connection, datagram)) = session.next_datagram() {
                assert_eq!(connection, 9);
                guest.receive(*now_ms, &datagram);
            }
            let is_held = (session.lab().tape().last_tick() / 100).is_multiple_of(2);
            guest.frame(*now_ms, if is_held { 4 } else { 0 }, true);
            while let Some(datagram) = guest.next_datagram() {
                session.on_datagram(*now_ms, 9, &datagram);
            }
            *now_ms += 1000.0 / 60.0;
        }
    }

    fn guest_of(session: &mut Session) -> Guest {
        let link = session.hosted().unwrap().link;
        let settings = link::parse(&link).0.a.settings;
        Guest::new(&settings, "Ann", 5).unwrap()
    }

    #[test]
    fn what_a_guest_saw_is_lane_b_also_after_the_host_went_back() {
        let mut session = shared("#scene=drive&grid=8&rival=hand&hz=30");
        let mut guest = guest_of(&mut session);
        let mut now_ms = 0.0;
        run(&mut session, &mut guest, &mut now_ms, 300);
        assert_eq!(guest.figures().status, GuestStatus::Playing);
        let keys = |tick: u64| session.lab().tape().rival_input(tick);
        assert!((1..100).any(|tick| keys(tick).map(|keys| keys.bits()) == Some(4)));
        for ticks in [60, 120] {
            let frames = guest.shown_frames();
            session.receive(Received::GuestFrames, &frames).unwrap();
            session.lab_mut().finish();
            let last = session.lab().tape().last_tick();
            let live = session.lab().b().and_then(|b| b.live(last - 3)).unwrap();
            assert!(
                live.behind_ms.is_some_and(|ms| (20.0..400.0).contains(&ms)),
                "{:?}",
                live.behind_ms
            );
            let error_mm = live.position_error_mm.rms;
            assert!(error_mm < 500.0, "{error_mm}");
            assert!(!session.permalink(false).contains("client="));
            session.lab_mut().seek(200);
            run(&mut session, &mut guest, &mut now_ms, ticks);
            assert_eq!(session.lab().tape().last_tick(), 200 + u64::from(ticks));
        }
        let cut = session.receive(Received::GuestFrames, &[1, 2, 3]);
        assert!(matches!(
            cut,
            Err(Refusal::GuestFile(GuestFileError::Frames))
        ));
    }

    /// The log of a guest makes a network of that guest alone, once.
    #[test]
    fn a_log_is_of_the_guest_who_sent_it() {
        let mut session = shared("#scene=drive&grid=8&rival=hand&hz=30");
        let mut guest = guest_of(&mut session);
        run(&mut session, &mut guest, &mut 0.0, 300);
        let log = guest.log().to_bytes();
        let give = |session: &mut Session| {
            let of = Received::GuestLog { connection: 9 };
            session.receive(of, &log).unwrap();
        };
        give(&mut session);
        assert!(session.network_of_guest(8).is_err());
        give(&mut session);
        assert!(session.network_of_guest(9).unwrap().contains("path"));
        assert!(session.network_of_guest(9).is_err());
    }

    /// A key that the guest held at the end is not held for ever, and the second cube is the person's again.
    #[test]
    fn nobody_else_steers_after_the_end_or_in_another_world() {
        for ends in [true, false] {
            let mut session = shared("#scene=drive&grid=8&rival=hand&hz=30");
            let mut guest = guest_of(&mut session);
            run(&mut session, &mut guest, &mut 0.0, 260);
            let second = |session: &mut Session, keys: u16| {
                session.tick(Inputs::from_bits(keys << 8));
                let newest = session.lab().tape().last_tick();
                session.lab().tape().rival_input(newest).unwrap().bits()
            };
            // At the grid's edge the guest's own key is another one.
            assert!(![0, 1].contains(&second(&mut session, 1)));
            if ends {
                let why = "over".to_owned();
                host(&mut session, HostCommand::End { why });
                let farewells = std::iter::from_fn(|| session.next_datagram()).count();
                assert!(farewells > 0 && session.hosted().is_none());
            } else {
                session.open("#scene=drive&grid=6&rival=hand");
                session.lab_mut().finish();
                assert!(!session.host_until(9e4));
            }
            assert_eq!(second(&mut session, 1), 1);
            assert_eq!(second(&mut session, 0), 0);
        }
    }
}
