//! A world that several people share, for the page's script: the host's end, beside its laboratory, and a guest's end.

use crate::js::{refused, to_js};
use crate::page::Page;
use snapshot_app::link;
use snapshot_lane::client::ClientRecording;
use snapshot_lane::together::{ConnectionLog, Guest as GuestEnd, Host, ShareError, network};
use snapshot_lane::view::View;
use snapshot_netsim::proxy::ProxyLink;
use snapshot_physics::input::Inputs;
use snapshot_record::session_config::SessionConfig;
use snapshot_settings::Settings;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The host's end: it serves the page's world to guests.
#[wasm_bindgen]
pub struct Hosting {
    host: Host,
    settings: Settings,
    /// The newest tick of the page's world that was sent.
    tick: u64,
    /// Connection of the datagram that [`Hosting::next_datagram`] returned last.
    connection: u32,
    /// The simulated link; `None` while none is simulated.
    link: Option<ProxyLink>,
}

/// Returns the link of the page's lane A.
fn link_of(page: &Page) -> ProxyLink {
    let trace = page.lab().a().link_inputs().trace.clone();
    page.lab().settings().lane().proxy_link(trace)
}

/// Returns true if two links are the same.
fn is_same(one: &ProxyLink, other: &ProxyLink) -> bool {
    let has_same_trace = match (&one.trace, &other.trace) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    has_same_trace && one.conditions == other.conditions && one.seed == other.seed
}

#[wasm_bindgen]
impl Hosting {
    /// Shares the page's world. The secret is 16 random bytes.
    ///
    /// # Errors
    /// When the motion is a recording, the scene has no second cube, or the secret has another length.
    #[wasm_bindgen(constructor)]
    pub fn new(page: &Page, secret: &[u8]) -> Result<Hosting, JsError> {
        if page.session().played_motion().is_some() {
            return Err(refused(ShareError::NoWorld));
        }
        let secret = secret
            .try_into()
            .map_err(|_| JsError::new("A secret has 16 bytes."))?;
        let settings = *page.lab().settings();
        Ok(Hosting {
            host: Host::new(&settings, secret).map_err(refused)?,
            settings,
            tick: page.lab().tape().last_tick(),
            connection: 0,
            link: None,
        })
    }

    /// Handles a datagram that arrived over a connection, named by its number; a number is never used again.
    pub fn receive(&mut self, now_ms: f64, connection: u32, bytes: &[u8]) {
        self.host.receive(now_ms, connection, bytes);
    }

    /// Returns `input_bits` with the keys of the guest who steers the second cube, for [`Page::tick`].
    pub fn before_tick(&mut self, page: &Page, input_bits: u16) -> u16 {
        let lab = page.lab();
        // While the past is played again nobody steers.
        if !lab.is_at_end() {
            return input_bits;
        }
        let second = self.host.second_hand(lab.tape().last_tick() + 1);
        let second = Inputs::from_bits(u16::from(second) << 8);
        let own = Inputs::from_bits(input_bits & 0xff);
        own.bits() | second.bits()
    }

    /// Sends the page's newest tick to the guests, if it was not sent yet. Returns false, and sends nothing, if the page
    /// shows another world than the shared one.
    pub fn after_tick(&mut self, page: &Page, now_ms: f64) -> bool {
        if !self.shares(page) {
            return false;
        }
        let (lab, tape) = (page.lab(), page.lab().tape());
        let newest = tape.last_tick();
        if newest != self.tick && lab.is_at_end() {
            self.tick = newest;
            let hand = tape.input(newest).unwrap_or_default();
            self.host.tick(now_ms, newest, tape.newest(), hand.bits());
        }
        true
    }

    /// Does the work that is due at a time. Call it often, also while the world stands still.
    pub fn pass(&mut self, page: &Page, now_ms: f64) {
        let is_old = |link: &ProxyLink| !is_same(link, &link_of(page));
        if self.link.as_ref().is_some_and(is_old) {
            self.simulate(page, true);
        }
        self.host.pass(now_ms);
    }

    /// Returns true if the page shows the shared world.
    pub fn shares(&self, page: &Page) -> bool {
        let tape = page.lab().tape();
        page.session().played_motion().is_none() && *tape.made_from() == self.settings.world()
    }

    /// Returns the next datagram for a guest; undefined if none is due. [`Hosting::connection`] is the guest's.
    #[wasm_bindgen(js_name = next)]
    pub fn next_datagram(&mut self) -> Option<Vec<u8>> {
        let (connection, datagram) = self.host.next_datagram()?;
        self.connection = connection;
        Some(datagram)
    }

    /// Connection of the datagram that [`Hosting::next_datagram`] returned last.
    pub fn connection(&self) -> u32 {
        self.connection
    }

    /// Gives the second cube to a guest to steer; does nothing if the guest is gone.
    pub fn give(&mut self, connection: u32) {
        self.host.give_second_hand(connection);
    }

    /// Says that the datagram that [`Hosting::next_datagram`] returned last was left out, because earlier ones wait.
    pub fn leave_out(&mut self) {
        self.host.leave_out(self.connection);
    }

    /// Ends the connection of a guest, and tells the guest why. The last datagrams have to be sent after this call.
    pub fn send_away(&mut self, connection: u32, why: &str) {
        self.host.send_away(connection, why);
    }

    /// Ends a connection that was closed.
    pub fn close(&mut self, connection: u32) {
        self.host.close(connection);
    }

    /// Ends the session, and tells all guests why. The last datagrams have to be sent after this call.
    pub fn end(&mut self, why: &str) {
        self.host.end(why);
    }

    /// Simulates lane A's link in front of the real network, in both directions, or stops that. The simulated link follows
    /// each change of lane A's.
    pub fn simulate(&mut self, page: &Page, on: bool) {
        self.link = on.then(|| link_of(page));
        self.host.simulate(self.link.clone());
    }

    /// Returns the fragment of the link that a guest opens, without `#`: the settings of the world and of the connection.
    pub fn link(&self) -> String {
        let mut link = link::Link::default();
        link.a.settings = self.settings;
        let fragment = link::format(&link);
        fragment.trim_start_matches('#').to_string()
    }

    /// Returns a row for each guest, in the order in which they joined.
    #[wasm_bindgen(unchecked_return_type = "GuestRow[]")]
    pub fn rows(&self) -> Result<JsValue, JsError> {
        to_js(&self.host.guests())
    }

    /// True if a further guest can join.
    pub fn has_room(&self) -> bool {
        self.host.has_room()
    }

    /// Returns the real network between the host and a guest as a trace file with a `path`, from the bytes of [`Guest::log`].
    ///
    /// # Errors
    /// When the bytes are no log, the guest is unknown, or too few datagrams arrived.
    pub fn network(&self, connection: u32, guest_log: &[u8]) -> Result<String, JsError> {
        let none = || JsError::new("Too little is known of this guest’s network.");
        let guest = ConnectionLog::of_bytes(guest_log).ok_or_else(none)?;
        let host = self.host.log(connection).ok_or_else(none)?;
        network(host, &guest).ok_or_else(none)
    }

    /// Shows the frames that a guest saw as lane B, from the bytes of [`Guest::frames`].
    ///
    /// # Errors
    /// When the bytes are no frames, or frames of another world.
    pub fn show_guest(&self, page: &mut Page, frames: &[u8]) -> Result<(), JsError> {
        let none = || JsError::new("These are no frames of a guest of this world.");
        let objects = page.lab().tape().newest().len();
        let frames = ClientRecording::of_guest(frames, objects, self.host.ticks_ahead());
        let frames = frames.ok_or_else(none)?;
        let is_shown = page.change(|session| session.show_guest(frames));
        is_shown.then_some(()).ok_or_else(none)
    }
}

/// A guest's end: its view of the shared world, and its keys for the second cube.
#[wasm_bindgen]
pub struct Guest {
    guest: GuestEnd,
    view: View,
}

#[wasm_bindgen]
impl Guest {
    /// Makes a guest of a link's world, which asks the host to let it join. The nonce is random.
    ///
    /// # Errors
    /// When the link's scene has no second cube, or its settings make no connection.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str, name: &str, nonce: u64) -> Result<Guest, JsError> {
        let settings = link::parse(link).0.a.settings;
        let guest = GuestEnd::new(&settings, name, nonce).map_err(refused)?;
        let session_config = SessionConfig::of_world(&settings.world());
        Ok(Guest {
            guest,
            view: View::from_cubes(&session_config, &session_config.initial),
        })
    }

    /// Handles a datagram from the host.
    pub fn receive(&mut self, now_ms: f64, bytes: &[u8]) {
        self.guest.receive(now_ms, bytes);
    }

    /// Makes a frame with the pressed keys: six bits, as for the first cube. Returns true if a tick of the guest used the
    /// keys. Makes no datagram if `may_send` is false: earlier ones wait.
    pub fn frame(&mut self, now_ms: f64, input_bits: u8, may_send: bool) -> bool {
        let keys = input_bits & 0b11_1111;
        let takes_keys = self.guest.frame(now_ms, keys, may_send);
        self.view.show_all(self.guest.poses());
        takes_keys
    }

    /// Returns the next datagram for the host; undefined if none is due.
    #[wasm_bindgen(js_name = next)]
    pub fn next_datagram(&mut self) -> Option<Vec<u8>> {
        self.guest.next_datagram()
    }

    /// Chooses the guest's own settings by their names in links: prediction and interpolation. For an unknown name the
    /// present choice stays. The playout delay is in ms; undefined if it adapts.
    pub fn choose(&mut self, predict: &str, interpolation: &str, delay_ms: Option<f64>) {
        let mut settings = *self.guest.settings();
        for (id, text) in [("predict", predict), ("interp", interpolation)] {
            // A name that no link has is no choice.
            let _ = settings.set_text(id, text);
        }
        let predict = settings.predict();
        let interpolation = settings.interpolation();
        self.guest.choose(predict, interpolation, delay_ms);
    }

    #[wasm_bindgen(unchecked_return_type = "GuestFigures")]
    pub fn figures(&self) -> Result<JsValue, JsError> {
        to_js(&self.guest.figures())
    }

    /// Returns the shown frames of the last minute, for [`Hosting::show_guest`] at the host; empty before the first frame.
    pub fn frames(&self) -> Vec<u8> {
        self.guest.shown_frames()
    }

    /// Returns the log of the datagrams that the guest sent and received, for [`Hosting::network`] at the host.
    pub fn log(&self) -> Vec<u8> {
        self.guest.log().to_bytes()
    }

    /// Returns a recording of all calls to this guest, with their datagrams, times and keys, for `snapshot-lab replay`.
    pub fn recording(&self) -> Vec<u8> {
        self.guest.recording()
    }

    /// Leaves the host. The last datagram has to be sent after this call.
    pub fn end(&mut self) {
        self.guest.end();
    }

    /// Makes a new guest of the same world with the same choices, which asks to join over a new connection.
    ///
    /// # Errors
    /// As the constructor.
    pub fn again(&self) -> Result<Guest, JsError> {
        let guest = self.guest.again().map_err(refused)?;
        Ok(Guest {
            guest,
            view: self.view.clone(),
        })
    }
}

impl Guest {
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Index of the guest's own cube.
    pub(crate) fn own(&self) -> usize {
        self.guest.own()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_lane::together::GuestStatus;

    #[test]
    fn what_a_guest_saw_is_lane_b_also_after_the_host_went_back() {
        let mut page = Page::new("#scene=drive&grid=8&rival=hand&hz=30");
        let Ok(mut hosting) = Hosting::new(&page, &[1; 16]) else {
            panic!("the scene has a second cube");
        };
        let Ok(mut guest) = Guest::new(&hosting.link(), "Ann", 5) else {
            panic!("the link is the host's");
        };
        let mut now_ms = 0.0;
        let mut run = |page: &mut Page, hosting: &mut Hosting, guest: &mut Guest, ticks: u32| {
            for _ in 0..ticks {
                let bits = hosting.before_tick(page, 1);
                page.tick(bits);
                assert!(hosting.after_tick(page, now_ms));
                while let Some(datagram) = hosting.next_datagram() {
                    assert_eq!(hosting.connection(), 9);
                    guest.receive(now_ms, &datagram);
                }
                let is_held = (page.lab().tape().last_tick() / 100).is_multiple_of(2);
                guest.frame(now_ms, if is_held { 4 } else { 0 }, true);
                while let Some(datagram) = guest.next_datagram() {
                    hosting.receive(now_ms, 9, &datagram);
                }
                now_ms += 1000.0 / 60.0;
            }
        };
        run(&mut page, &mut hosting, &mut guest, 300);
        assert_eq!(guest.guest.figures().status, GuestStatus::Playing);
        let has_come = |tick: u64| page.lab().tape().rival_input(tick).map(|keys| keys.bits());
        assert!((1..100).any(|tick| has_come(tick) == Some(4)));
        for ticks in [60, 120] {
            assert!(hosting.show_guest(&mut page, &guest.frames()).is_ok());
            page.lab_mut().finish();
            let last = page.lab().tape().last_tick();
            let b = page.lab().b().and_then(|b| b.live(last - 3));
            let live = b.unwrap_or_else(|| panic!("lane B has tick {last}"));
            assert!(
                live.behind_ms.is_some_and(|ms| (20.0..400.0).contains(&ms)),
                "{:?}",
                live.behind_ms
            );
            assert!(
                live.position_error_mm.rms < 500.0,
                "{}",
                live.position_error_mm.rms
            );
            assert!(!page.settings_link().contains("client="));
            page.lab_mut().seek(200);
            run(&mut page, &mut hosting, &mut guest, ticks);
            assert_eq!(page.lab().tape().last_tick(), 200 + u64::from(ticks));
        }
    }
}
