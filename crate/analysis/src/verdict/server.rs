//! A server's bill: traffic and encoding for all players, and the traffic of other engines with headers counted alike.

use super::engines::EngineRow;
use super::playing::ErrorProbe;
use serde::Serialize;

/// A usual limit of a datagram, headers included.
const DATAGRAM_BYTES: f64 = 1200.0;
const DAYS_A_MONTH: f64 = 30.0;

/// Inputs of a server's traffic bill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BillInputs"))]
pub struct Bill {
    pub players: u32,
    /// Share of the objects that is sent to each player, 0 to 1.
    pub in_sight: f64,
    /// Hours a day with this number of players.
    pub hours_a_day: f64,
}

impl Default for Bill {
    fn default() -> Bill {
        Bill {
            players: 32,
            in_sight: 1.0,
            hours_a_day: 24.0,
        }
    }
}

impl Bill {
    pub const PLAYERS_MAX: u32 = 100_000;

    /// Creates a bill with these numbers, limited to their ranges.
    pub fn new(players: f64, in_sight: f64, hours_a_day: f64) -> Bill {
        let within = |value: f64, least: f64, most: f64| {
            if value.is_finite() {
                value.clamp(least, most)
            } else {
                most
            }
        };
        Bill {
            players: within(players, 1.0, Self::PLAYERS_MAX.into()) as u32,
            in_sight: within(in_sight, 0.0, 1.0),
            hours_a_day: within(hours_a_day, 0.0, 24.0),
        }
    }

    /// Traffic of packets with headers, scaled by the share of objects in sight.
    fn traffic(&self, packets_per_s: f64, header_bytes: u32, payload_kbps: f64) -> ServerTraffic {
        let headers_kbps = packets_per_s * f64::from(header_bytes) * 8.0 / 1000.0;
        let player_kbps = headers_kbps + self.in_sight * payload_kbps;
        let kbps = f64::from(self.players) * player_kbps;
        let seconds = self.hours_a_day * 3600.0 * DAYS_A_MONTH;
        ServerTraffic {
            player_kbps,
            kbps,
            gb_a_month: kbps * 1000.0 / 8.0 * seconds / 1e9,
        }
    }
}

/// Outgoing traffic of a server, headers included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerTraffic {
    pub player_kbps: f64,
    /// Bandwidth to all players, kbit/s.
    pub kbps: f64,
    /// Traffic in 30 days, in units of 1e9 bytes.
    pub gb_a_month: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineBill {
    pub id: &'static str,
    pub name: &'static str,
    /// Default send rate, packets a second.
    pub rate_hz: u32,
    pub default_rate: ServerTraffic,
    /// Traffic at the recommended rate.
    pub my_rate: ServerTraffic,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ServerBill {
    pub bill: Bill,
    /// Recommended send rate, packets a second.
    pub rate_hz: u32,
    /// Traffic with the recommended settings.
    pub traffic: ServerTraffic,
    /// Share of the datagrams over 1,200 bytes, headers included.
    pub over_1200_share: f64,
    /// Measured time to encode a packet with all objects, in microseconds; none where it was not measured.
    pub encoder_us_per_packet: Option<f64>,
    /// Processor cores needed to encode for all players, if encoding takes as long on the server and its time scales with the
    /// share in sight.
    pub encoder_cores: Option<f64>,
    /// Traffic with other engines, headers counted in the same way.
    pub engines: Vec<EngineBill>,
}

/// Computes the bill of a server from the measured traffic. Other engines are given at their defaults, and at the recommended
/// rate.
pub(super) fn server(
    bill: Bill,
    playing: &ErrorProbe,
    encoder_us: Option<f64>,
    [defaults, at_rate]: [&[EngineRow]; 2],
) -> ServerBill {
    let settings = playing.settings();
    let (header_bytes, sizes) = (settings.header_bytes(), playing.packet_bytes());
    let packets_per_s = sizes.len() as f64 / playing.seconds();
    let bytes: f64 = sizes.iter().map(|bytes| f64::from(*bytes)).sum();
    let payload_kbps = bytes * 8.0 / 1000.0 / playing.seconds();
    let over = sizes.iter().filter(|bytes| {
        f64::from(header_bytes) + bill.in_sight * f64::from(**bytes) > DATAGRAM_BYTES
    });
    let of_engine =
        |row: &EngineRow| bill.traffic(row.packets_per_s, header_bytes, row.payload_kbps);
    let engines = defaults
        .iter()
        .zip(at_rate)
        .map(|(default, own)| EngineBill {
            id: default.id,
            name: default.name,
            rate_hz: default.rate_hz,
            default_rate: of_engine(default),
            my_rate: of_engine(own),
        });
    let cores = |us: f64| us / 1e6 * packets_per_s * f64::from(bill.players) * bill.in_sight;
    ServerBill {
        bill,
        rate_hz: settings.send_rate_hz(),
        traffic: bill.traffic(packets_per_s, header_bytes, payload_kbps),
        over_1200_share: over.count() as f64 / sizes.len().max(1) as f64,
        encoder_us_per_packet: encoder_us,
        encoder_cores: encoder_us.map(cores),
        engines: engines.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_of_traffic_by_hand() {
        let bill = Bill::new(10.0, 0.5, 12.0);
        // 20 headers of 28 bytes are 4.48 kbit/s, and half of 40 kbit/s is sent.
        let traffic = bill.traffic(20.0, 28, 40.0);
        assert_eq!((traffic.player_kbps, traffic.kbps), (24.48, 244.8));
        // 244.8 kbit/s are 30,600 bytes a second, for 12 x 3,600 x 30 s.
        assert!((traffic.gb_a_month - 39.6576).abs() < 1e-9, "{traffic:?}");
    }

    #[test]
    fn any_numbers_are_a_bill() {
        let bill = Bill::new(f64::NAN, -3.0, 99.0);
        assert_eq!(bill.players, Bill::PLAYERS_MAX);
        assert_eq!((bill.in_sight, bill.hours_a_day), (0.0, 24.0));
        assert_eq!(Bill::new(0.0, 2.0, 1.0).players, 1);
    }
}
