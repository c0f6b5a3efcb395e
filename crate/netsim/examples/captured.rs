//! A link from a captured trace. Its rows say when each packet was sent and how long it took.

use std::sync::Arc;

use snapshot_netsim::channel::{Channel, Conditions};
use snapshot_netsim::trace::Trace;

/// A log: a packet each 50 ms. A lost packet has `lost` for its delay.
const CAPTURED: &str = "sent_ms,delay_ms
0,41.5
50,40.0
100,lost
150,95.5
200,60.25
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trace = Arc::new(Trace::read(CAPTURED.as_bytes())?);
    println!("{}", trace.description());
    // Delay and loss are the trace's, whatever the conditions say of them. After its end it begins again.
    let mut link = Channel::recorded(Conditions::PERFECT, 1, 0, Some(&trace));
    let mut arrived = Vec::new();
    for number in 0..5 {
        link.send(50.0 * number as f64, number, &[number as u8], 1);
    }
    let mut packet = Vec::new();
    while let Some(delivery) = link.receive(1000.0, &mut packet) {
        arrived.push((packet[0], delivery.arrival_ms));
    }
    assert_eq!(arrived, [(0, 41.5), (1, 90.0), (3, 245.5), (4, 260.25)]);
    Ok(())
}
