//! A recorded link in place of the modelled one.
use snapshot_app::Lab;
use snapshot_app::link;
use snapshot_base::time::WORLD;
use snapshot_netsim::trace::{Trace, csv};
use snapshot_physics::Input;
use std::sync::Arc;

/// A trace of packets 10 ms apart: delays, or losses.
fn trace(delays_ms: impl IntoIterator<Item = Option<f64>>) -> Arc<Trace> {
    let rows = (0..).zip(delays_ms);
    let rows = rows.map(|(n, delay_ms)| (f64::from(n) * 10.0, delay_ms, None));
    Arc::new(Trace::read(csv::write(rows).as_bytes()).unwrap())
}

/// A trace of 7 s whose delay goes up and down between 20 and 80 ms, with a loss of 90 ms in every second.
fn uneven() -> Arc<Trace> {
    trace((0..700).map(|n| (n % 100 >= 9).then_some(f64::from(20 + (n * 37) % 61))))
}

fn opened(text: &str) -> Lab {
    let (link, notices) = link::parse(text);
    assert_eq!(notices, []);
    Lab::open(&link)
}

fn play(lab: &mut Lab, ticks: u64) {
    (0..ticks).for_each(|_| lab.tick(Input::NONE));
}

/// All figures, hashes included, of a lane that has played so long.
fn report(lab: &mut Lab) -> serde_json::Value {
    serde_json::to_value(lab.report()).unwrap()
}

fn played(text: &str, trace: Option<&Arc<Trace>>, ticks: u64) -> serde_json::Value {
    let mut lab = opened(text);
    lab.set_trace(trace.cloned());
    play(&mut lab, ticks);
    report(&mut lab)
}

const SCENE: &str = "scene=katamari&grid=6&hz=20&delay=200";

#[test]
fn packets_take_the_delays_and_losses_of_the_rows_at_their_send_times() {
    let uneven = uneven();
    let delays = uneven.delays();
    let mut lab = opened(&format!("#{SCENE}&loss=0"));
    lab.set_trace(Some(uneven.clone()));
    play(&mut lab, 900);
    let packets: Vec<_> = lab.history().packets(0..900, 900).collect();
    assert!(packets.len() > 290);
    let mut lost = 0;
    for packet in packets {
        let sent_ms = WORLD.ms_of_tick(packet.tick as f64);
        let row = delays.at(sent_ms);
        let expected_ms = (!row.lost).then_some(sent_ms + row.delay_ms);
        assert_eq!(packet.arrival_ms, expected_ms);
        lost += u32::from(row.lost);
    }
    assert!(lost > 10, "{lost}");
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_trace_that_is_taken_later_is_as_if_it_had_been_there_from_the_beginning() {
    let uneven = uneven();
    for more in [
        "codec=arithmetic&b.hz=30",
        "strategy=sync",
        "strategy=lockstep",
    ] {
        let text = format!("#{SCENE}&{more}");
        let from_the_start = played(&text, Some(&uneven), 400);
        let modelled = played(&text, None, 400);
        assert_ne!(from_the_start, modelled);
        let mut lab = opened(&text);
        play(&mut lab, 400);
        lab.set_trace(Some(uneven.clone()));
        lab.finish();
        assert_eq!(report(&mut lab), from_the_start, "{more}");
        if let Some(b) = lab.b() {
            assert!(
                b.history()
                    .unwrap()
                    .packets(0..400, 400)
                    .any(|packet| packet.arrival_ms.is_none())
            );
        }
        lab.set_trace(None);
        lab.finish();
        assert_eq!(report(&mut lab), modelled, "{more}");
    }
}

#[test]
fn a_stream_does_not_wait_for_ever_for_a_row_that_is_always_lost() {
    // A minute, of which 30 s are lost: each timeout of 60 s meets the same row.
    let rows = (0..60).map(|second| {
        let delay_ms = (second < 30).then_some(20.0);
        (f64::from(second) * 1000.0, delay_ms, None)
    });
    let trace = Arc::new(Trace::read(csv::write(rows).as_bytes()).unwrap());
    assert_eq!(trace.length_ms(), 60_000.0);
    let text = "#scene=roll&grid=5&strategy=lockstep&transport=tcp&latency=50";
    let report = played(text, Some(&trace), 60 * 40);
    assert!(report["retransmissions"].as_u64() > Some(100), "{report}");
}
