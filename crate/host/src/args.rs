//! Arguments of the command line, and what they mean: a link to host, or a host to join.

use clap::Parser;
use snapshot_app::link::{self, Link};
use snapshot_lane::together::GUESTS_MAX;
use snapshot_netsim::channel::Conditions;
use snapshot_netsim::proxy::ProxyLink;
use snapshot_physics::world::Rival;
use snapshot_settings::{Key, Settings};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;

/// Plays a link's world to the guests of a class, and serves the page to them.
///
/// The host prints two addresses: one for the guests, with its QR, and one for the teacher. A guest needs a browser alone. The
/// teacher's page steers the first cube, sees a row for each guest, and gives the second cube to one of them. The world is in
/// this program, so it goes on when a page is closed. Ctrl-C tells the guests, and ends it.
#[derive(Parser, Debug)]
#[command(name = "snapshot-host", version, about)]
pub(crate) struct Arguments {
    /// A link or its fragment, such as "#hz=30&codec=arithmetic"; "" for the defaults. With --join the address of a host, such as
    /// http://127.0.0.1:8080/. With the teacher's address the figures also tell how many snapshots differed.
    pub(crate) target: String,
    /// Port of the page. Plain UDP takes the same number, WebRTC takes a free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Let other machines of the local network reach the host. Without it, this machine alone does.
    #[arg(long)]
    lan: bool,
    /// This machine's address in the local network, if it has several.
    #[arg(long, value_name = "IP", requires = "lan")]
    address: Option<IpAddr>,
    /// Folder of the built page.
    #[arg(long, value_name = "FOLDER", default_value = "dist")]
    pub(crate) page: PathBuf,
    /// Lose so many percent of the datagrams, each way.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = loss_percent)]
    loss: f64,
    /// Delay the datagrams by so many ms, each way.
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=2_000))]
    delay: u16,
    /// Join a host with so many receivers instead, which need no browser.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=GUESTS_MAX as i64))]
    pub(crate) join: Option<u16>,
    /// Seconds that the receivers stay.
    #[arg(long, value_name = "S", default_value_t = 10, requires = "join", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: u32,
    /// Join over plain UDP, and not over WebRTC.
    #[arg(long, requires = "join")]
    pub(crate) udp: bool,
    /// At the end, write what the host's server was given to a file, for `snapshot-lab replay`: the first 64 MB. With --join write
    /// what each receiver was given: up to 16 MB each. With several, their numbers go before the name's last dot.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print the receivers' figures as JSON.
    #[arg(long, requires = "join")]
    pub(crate) json: bool,
}

fn loss_percent(text: &str) -> Result<f64, String> {
    let percent: f64 = text.parse().map_err(|_| "it is a number of percent")?;
    match (0.0..=50.0).contains(&percent) {
        true => Ok(percent),
        false => Err("it goes from 0 to 50 percent".to_string()),
    }
}

/// The address at which a host listens, and the address that it prints for guests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listen {
    /// The address to bind to.
    pub(crate) bind: IpAddr,
    /// The address that the host prints for guests.
    pub(crate) advertised: IpAddr,
    pub(crate) port: u16,
}

impl Arguments {
    /// Returns the addresses at which the host listens and is known.
    ///
    /// # Errors
    /// When this machine is in no network.
    pub(crate) fn listen(&self) -> Result<Listen, String> {
        let port = self.port;
        if !self.lan {
            let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
            return Ok(Listen {
                bind: address,
                advertised: address,
                port,
            });
        }
        if let Some(address) = self.address {
            return Ok(Listen {
                bind: address,
                advertised: address,
                port,
            });
        }
        let address = own_address().ok_or(
            "This machine has no address in a network; --address IP names one, or leave --lan out.",
        )?;
        Ok(Listen {
            bind: address,
            advertised: address,
            port,
        })
    }

    /// Returns the link to simulate in front of the real network; `None` if nothing is to be simulated.
    pub(crate) fn simulated(&self, settings: &Settings) -> Option<ProxyLink> {
        let conditions = Conditions {
            loss: self.loss / 100.0,
            latency_ms: f64::from(self.delay),
            ..Conditions::PERFECT
        };
        (self.loss > 0.0 || self.delay > 0).then(|| ProxyLink {
            conditions: [conditions; 2],
            seed: settings.get(Key::Seed),
            trace: None,
        })
    }
}

/// Returns the address by which this machine reaches others. No packet is sent: connecting the socket only looks up the
/// route.
fn own_address() -> Option<IpAddr> {
    // An address of documentation (RFC 5737), behind the default route of any machine.
    let far = SocketAddr::from(([192, 0, 2, 1], 9));
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(far).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then_some(own)
}

/// Parses a link to a world that guests can share. The second cube is set to be driven by a guest's keys.
///
/// # Errors
/// When a part of the link cannot be used, because a class would see another world than its teacher intends.
pub(crate) fn shared_link(text: &str) -> Result<Link, String> {
    let (mut link, notices) = link::parse(text);
    if let Some(notice) = notices.first() {
        return Err(format!("The link cannot be used: {notice}"));
    }
    if link.motion.is_some() {
        return Err(
            "The link plays a recorded motion, and nobody can push its objects: choose a scene."
                .to_string(),
        );
    }
    let hand = Rival::ALL.iter().position(|rival| *rival == Rival::Hand);
    let hand = hand.expect("the kinds of rival have a hand");
    let set = link.a.settings.set(Key::Rival, hand as u32);
    set.map_err(|error| format!("The link cannot be used: {error}"))?;
    Ok(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(["snapshot-host"].into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn a_host_is_reached_from_this_machine_alone_unless_lan_is_given() {
        let local = of("#hz=30").expect("a link").listen().expect("loopback");
        assert!(local.bind.is_loopback() && local.advertised.is_loopback());
        let lan = of("#hz=30 --lan --address 10.1.2.3").expect("a link");
        let address = IpAddr::from([10, 1, 2, 3]);
        assert_eq!(lan.listen().expect("an address").advertised, address);
        for refused in [
            "#hz=30 --address 10.1.2.3",
            "#hz=30 --seconds 3",
            "#hz=30 --loss 51",
            "#hz=30 --loss NaN",
            "x --join 0",
            "x --join 33",
            "#hz=30 --port 70000",
            "",
        ] {
            assert!(of(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn a_link_in_front_is_there_if_it_does_something() {
        let settings = Settings::default();
        let simulated = |line: &str| of(line).expect("a link").simulated(&settings);
        assert!(simulated("#").is_none());
        let link = simulated("# --loss 5 --delay 40").expect("a link");
        let [there, back] = &link.conditions;
        assert_eq!((there.loss, there.latency_ms), (0.05, 40.0));
        assert_eq!((back.loss, back.latency_ms), (0.05, 40.0));
    }

    #[test]
    fn a_shared_link_has_a_second_hand_or_is_refused_by_a_sentence() {
        for link in ["", "#hz=30&codec=predicted", "#rival=script&scene=drive"] {
            let shared = shared_link(link).expect("a scene");
            assert_eq!(shared.a.settings.world().rival, Rival::Hand, "{link}");
        }
        for (link, named) in [("#hz=0", "hz"), ("#nonsense=1", "nonsense")] {
            let refusal = shared_link(link).expect_err("no link");
            assert!(refusal.contains(named), "{link}: {refusal}");
        }
        let motion = shared_link("#motion=12345678").expect_err("a motion");
        assert!(motion.contains("recorded motion"), "{motion}");
    }

    proptest! {
        #[test]
        fn any_text_is_a_link_or_refused(text in ".{0,80}") {
            let _ = shared_link(&text);
        }
    }
}
