//! Sharing the world with a guest over a real wire. The session is the host's end.

use crate::hosting::{Hosting, is_same};
use crate::link;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use snapshot_lane::client::ClientRecording;
use snapshot_lane::together::{ConnectionLog, Host, HostedGuest, ShareError, network};
use snapshot_netsim::proxy::ProxyLink;
use snapshot_settings::Settings;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HostCommand {
    /// Shares the world. The secret is random.
    Begin { secret: [u8; 16] },
    /// Begins a connection, over which a guest may join. The guest before is gone.
    Connect { now_ms: f64 },
    /// Says that the newest `count` datagrams for the guest were left out, because earlier ones wait.
    LeaveOut { count: usize },
    /// Ends the connection, and tells the guest why. The last datagrams have to be sent afterwards.
    SendAway { why: String },
    /// Simulates lane A's link in front of the real network, in both directions, or stops that. The simulated link follows each
    /// change of lane A's.
    Simulate { on: bool },
    /// Tells the guest why the session ends. The last datagrams have to be sent afterwards.
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

/// The host of a shared world, and its guest.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hosted {
    /// Fragment of the link that a guest opens, without `#`: the settings of the world and of the connection.
    link: String,
    /// The guest at the other end of the connection; `None` without a connection, and once the guest is gone.
    guest: Option<HostedGuest>,
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
                guest_network: None,
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
            HostCommand::Connect { now_ms } => host.connect(now_ms),
            HostCommand::LeaveOut { count } => host.leave_out(count),
            HostCommand::SendAway { why } => host.send_away(&why),
            HostCommand::Simulate { on } => {
                *own = on.then_some(link);
                host.simulate(own.clone());
            }
            HostCommand::End { why } => {
                host.send_away(&why);
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

    /// Receives a guest's datagram, if one came. Sends the newest tick once, and all datagrams that are due at `now_ms`.
    /// Returns the datagrams for the guest; `None` while another world is shown than the shared one. Call it after each tick,
    /// and often while the world stands still.
    pub fn host(&mut self, now_ms: f64, datagram: Option<&[u8]>) -> Option<Vec<Vec<u8>>> {
        let (is_shown, link) = (self.shows_shared_world(), self.lane_link());
        let hosting = self.hosting.as_mut()?;
        let host = &mut hosting.host;
        if hosting.has_ended {
            let farewells = std::iter::from_fn(|| host.next_datagram()).collect();
            self.hosting = None;
            return Some(farewells);
        }
        if !is_shown {
            return None;
        }
        if let Some(datagram) = datagram {
            host.receive(now_ms, datagram);
        }
        let tape = self.lab.tape();
        let newest = tape.last_tick();
        if newest != hosting.tick && self.lab.is_at_end() {
            hosting.tick = newest;
            let hand = tape.input(newest).unwrap_or_default();
            host.tick(now_ms, newest, tape.newest(), hand.bits());
        }
        let own = hosting.link.as_ref();
        if own.is_some_and(|own| !is_same(own, &link)) {
            hosting.link = Some(link);
            host.simulate(hosting.link.clone());
        }
        host.pass(now_ms);
        Some(std::iter::from_fn(|| host.next_datagram()).collect())
    }

    pub(crate) fn hosted(&mut self) -> Option<Hosted> {
        let hosting = self.hosting.as_ref()?;
        Some(Hosted {
            link: hosting.link_text.clone(),
            guest: hosting.host.guest(),
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
        let log = ConnectionLog::of_bytes(log).ok_or(GuestFileError::Network)?;
        let hosting = self.hosting.as_mut().ok_or(GuestFileError::Network)?;
        let own = hosting.host.log();
        hosting.guest_network = own.and_then(|own| network(own, &log));
        Ok(())
    }

    /// Returns the real network between the host and the guest, whose log was received, as a trace file with a `path`.
    pub(crate) fn network_of_guest(&mut self) -> Result<String, GuestFileError> {
        let hosting = self.hosting.as_mut();
        let rows = hosting.and_then(|hosting| hosting.guest_network.take());
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
        host(&mut session, HostCommand::Connect { now_ms: 0.0 });
        session
    }

    /// Plays ticks of a host with a guest, who holds a key in each second stretch of 100 ticks.
    fn run(session: &mut Session, guest: &mut Guest, now_ms: &mut f64, ticks: u32) {
        let pass = |session: &mut Session, guest: &mut Guest, now_ms, datagram: Option<&[u8]>| {
            for datagram in session.host(now_ms, datagram).unwrap() {
                guest.receive(now_ms, &datagram);
            }
        };
        for _ in 0..ticks {
            session.tick(Inputs::from_bits(1));
            pass(session, guest, *now_ms, None);
            let is_held = (session.lab().tape().last_tick() / 100).is_multiple_of(2);
            guest.frame(*now_ms, if is_held { 4 } else { 0 }, true);
            while let Some(datagram) = guest.next_datagram() {
                pass(session, guest, *now_ms, Some(&datagram));
            }
            *now_ms += 1000.0 / 60.0;
        }
    }

    fn guest_of(session: &mut Session) -> Guest {
        let link = session.hosted().unwrap().link;
        let settings = link::parse(&link).0.a.settings;
        Guest::new(&settings, 5).unwrap()
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

    #[test]
    fn a_log_makes_a_network_once() {
        let mut session = shared("#scene=drive&grid=8&rival=hand&hz=30");
        let mut guest = guest_of(&mut session);
        run(&mut session, &mut guest, &mut 0.0, 300);
        let log = guest.log().to_bytes();
        session.receive(Received::GuestLog, &log).unwrap();
        assert!(session.network_of_guest().unwrap().contains("path"));
        assert!(session.network_of_guest().is_err());
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
                let farewells = session.host(9e4, None).unwrap();
                assert!(!farewells.is_empty() && session.hosted().is_none());
            } else {
                session.open("#scene=drive&grid=6&rival=hand");
                session.lab_mut().finish();
                assert!(session.host(9e4, None).is_none());
            }
            assert_eq!(second(&mut session, 1), 1);
            assert_eq!(second(&mut session, 0), 0);
        }
    }
}
