//! Freezes in eight runs of a lane. The same packets are sent with other seeds, or over other parts of a recorded link. Only
//! their times are simulated, without objects.

use super::playing::Freezes;
use crate::comparison::{LaneSetup, RUNS};
use crate::span::TickSpan;
use snapshot_lane::PacketSize;
use snapshot_netsim::channel::Channel;
use snapshot_record::tape::Tape;
use snapshot_settings::Direction;
use snapshot_view::{Buffer, BufferConfig, Playback};

/// Counts the freezes of a lane over a window of ticks, in eight runs. `packet_bytes` are the sizes of the lane's packets.
pub(super) fn freezes(
    tape: &Tape,
    link: &LaneSetup,
    window: TickSpan,
    packet_bytes: &[u32],
) -> Freezes {
    let runs = (0..RUNS).map(|run| {
        let side = link.in_run(run, link.spread_ms());
        lengths(tape, &side, window, packet_bytes)
    });
    let runs: Vec<Vec<u64>> = runs.collect();
    let counts = || runs.iter().map(|lengths| lengths.len() as u64);
    let tick_rate = tape.tick_rate();
    let ms = |ticks: u64| tick_rate.ms_of_tick(ticks as f64);
    let minutes = ms(u64::from(RUNS) * window.ticks().max(1)) / 60_000.0;
    Freezes {
        least: counts().min().unwrap_or_default(),
        most: counts().max().unwrap_or_default(),
        longest_ms: ms(runs.iter().flatten().copied().max().unwrap_or_default()),
        per_minute: counts().sum::<u64>() as f64 / minutes,
        ms_per_minute: ms(runs.iter().flatten().sum()) / minutes,
    }
}

/// Returns the lengths of one run's freezes, ticks.
fn lengths(tape: &Tape, side: &LaneSetup, window: TickSpan, packet_bytes: &[u32]) -> Vec<u64> {
    let tick_rate = tape.tick_rate();
    let lane = side.settings.lane().at(tick_rate);
    let seed = side.settings.seed();
    let direction = Direction::Forward;
    let trace = side.link_inputs.trace.as_ref();
    let mut channel = Channel::recorded(lane.conditions(direction), seed, direction as u32, trace);
    let config = BufferConfig {
        tick_rate,
        interpolation: lane.interpolation(),
        playout: lane.playout(),
        send_interval_ms: lane.send_interval_ms(),
    };
    let mut buffer = Buffer::new(
        tape.session_config()
            .format(lane.rung(), lane.class(), &lane),
        config,
    );
    let clock = lane.receiver_clock();
    let mut sizes = packet_bytes.iter();
    let mut sent: Vec<(u64, u64)> = Vec::new();
    let (mut arrived, mut before) = (Vec::new(), None::<Playback>);
    let (mut lengths, mut was_still) = (Vec::new(), false);
    for tick in window.after + 1..=window.last {
        let now_ms = tick_rate.ms_of_tick(tick as f64);
        channel.set_cut(tape.is_cut(tick));
        let is_due = tick_rate.sends_at(tick, lane.send_rate_hz());
        if let Some(bytes) = is_due.then(|| sizes.next()).flatten() {
            let size = PacketSize::new(*bytes as usize, &lane);
            let number = tick_rate.packet_number(tick, lane.send_rate_hz());
            sent.push((number, tick));
            channel.send_sized(now_ms, number, &[], size.fragments, size.wire_bytes);
        }
        while let Some(delivery) = channel.receive(now_ms, &mut arrived) {
            let found = sent.binary_search_by_key(&delivery.number, |it| it.0);
            let Ok(at) = found else { continue };
            buffer.on_snapshot(delivery.arrival_ms * clock, sent[at].1 as i64, &[]);
        }
        let instant = buffer.advance(now_ms * clock);
        let now = instant.and_then(|instant| buffer.show(instant, &mut []));
        let is_still = now
            .zip(before)
            .is_some_and(|(now, before)| now.is_still(&before));
        before = now;
        match lengths.last_mut() {
            Some(length) if is_still && was_still => *length += 1,
            _ if is_still => lengths.push(1),
            _ => {}
        }
        was_still = is_still;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{driving, history, settings};
    use crate::verdict::playing::ErrorProbe;
    use snapshot_netsim::channel::LinkInputs;

    #[test]
    fn each_run_freezes_as_a_whole_lane_does() {
        let tape = Tape::of_motion(&driving(6, 6, 6.0), 240);
        let window = TickSpan {
            after: 0,
            last: tape.last_tick(),
        };
        let mut frozen = 0;
        for link in [
            "hz=20&loss=20&delay=90&jitter=30",
            "hz=60&link=wifi-busy&delay=120",
            "hz=30&link=4g-moving&delay=300&interp=hermite&drift=500",
            "hz=60&rate=90&queue=300&delay=80",
            "hz=20&loss=20&delay=90&clock=first",
        ] {
            let link = LaneSetup {
                settings: settings(link),
                link_inputs: LinkInputs::default(),
            };
            let probe = ErrorProbe::run(&tape, &link.settings, &link.link_inputs, window);
            let sizes = &probe.packet_bytes;
            for run in [0, 3] {
                let side = link.in_run(run, 0.0);
                let counted = lengths(&tape, &side, window, sizes);
                let history = history(&tape, &side.settings);
                let freezes = history.freezes();
                let ticks: Vec<u64> = freezes.iter().map(|it| it.to - it.from + 1).collect();
                // Packets of another run are as large as their baselines make them.
                let still = |lengths: &[u64]| lengths.iter().sum::<u64>();
                let apart = still(&counted).abs_diff(still(&ticks));
                let most = if run == 0 { 0 } else { 2 };
                assert!(
                    apart <= most,
                    "{run} {counted:?} {ticks:?} {:?}",
                    link.settings
                );
                frozen += ticks.len();
            }
        }
        assert!(frozen > 20, "{frozen}");
    }
}
