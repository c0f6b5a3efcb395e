use super::*;
use crate::played;

fn history(link: &str, ticks: u64) -> LaneHistory {
    played::history(link, ticks).1
}

/// Checks every tick that waits: the packet that is named is the next that the right side uses, after as long as it says.
fn check_waits(history: &LaneHistory, last_tick: u64) -> usize {
    let waiting = history.lives().filter(|live| live.waits);
    let waiting: Vec<_> = waiting.map(|live| live.tick).collect();
    let mut checked = 0;
    for tick in waiting.into_iter().filter(|tick| *tick < last_tick) {
        let wait = history.wait(tick).expect("the view waits");
        let (Some(next), Some(in_ms)) = (wait.next, wait.next_in_ms) else {
            continue;
        };
        assert!(wait.newest.is_none_or(|newest| newest.number < next.number));
        let comes = tick + (in_ms / 1000.0 * 60.0).ceil() as u64;
        if comes + 1 >= last_tick {
            continue;
        }
        let now = |number, tick| history.packet(number, tick).map(|packet| packet.fate);
        let fate = now(next.number, comes.max(tick + 1));
        // Where none of the packets under way comes in time, the first to arrive is named.
        if fate == Some(PacketFate::Late) {
            continue;
        }
        assert_eq!(fate, Some(PacketFate::Delivered));
        // No other packet that had left is used before.
        let others = history.packets(
            wait.newest.map_or(0, |it| it.tick + 1)..tick + 1,
            comes.saturating_sub(1),
        );
        let used = others.filter(|it| it.fate == PacketFate::Delivered && it.number != next.number);
        assert_eq!(used.count(), 0, "tick {tick}");
        checked += 1;
    }
    checked
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_view_that_waits_names_the_packet_that_it_waits_for() {
    for link in [
        "#strategy=lockstep&transport=tcp&latency=125&loss=25&scene=mixed&grid=6",
        "#strategy=lockstep&latency=125&loss=50&burst=10&scene=mixed&grid=6",
        "#strategy=sync&latency=125&loss=50&burst=8&scene=mixed&grid=6",
        "#hz=20&latency=125&loss=25&jitter=60&delay=60&interp=linear&grid=6",
        "#hz=10&latency=125&loss=25&jitter=60&delay=none&interp=linear&grid=6",
    ] {
        let history = history(link, 1000);
        let checked = check_waits(&history, 1000);
        assert!(checked > 5, "{link}: {checked}");
    }
}

#[test]
fn tcp_names_the_first_missing_segment_however_long_ago_it_left() {
    let link = "#strategy=lockstep&transport=tcp&latency=125&loss=25&scene=mixed&grid=6";
    let history = history(link, 1000);
    let wait = history.wait(1000).expect("it has long stood still");
    let newest = wait.newest.expect("some have arrived");
    let next = wait.next.expect("one is missing");
    assert_eq!(next.number, newest.number + 1);
    assert!(next.tick + 300 < 1000 && wait.is_sent_again);
    assert_eq!(wait.lost_count, 0);
}

#[test]
fn a_freeze_is_as_long_as_the_still_ticks_in_a_row() {
    let link = "#hz=20&loss=20&jitter=40&delay=60&interp=linear&grid=6";
    let history = history(link, 900);
    let freezes = history.freezes();
    assert!(freezes.len() > 3);
    let still = history.lives().filter(|live| live.still).count() as u64;
    let ticks: u64 = freezes.iter().map(|it| it.to + 1 - it.from).sum();
    assert_eq!(ticks, still);
    let longest = freezes.iter().map(|it| it.ms).fold(0.0, f64::max);
    assert_eq!(longest, history.live(900).longest_freeze_ms);
    assert!(history.wait(freezes[0].from - 2).is_none());
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_cure_shows_what_it_promises() {
    let link = "#hz=20&loss=10&jitter=40&delay=60&interp=linear&grid=6";
    let history_before = history(link, 900);
    let freezes = history_before.freezes();
    let cure = history_before.cure(900).expect("60 ms are few");
    let still = |history: &LaneHistory| history.lives().filter(|live| live.still).count();
    let longer = format!("delay={}", cure.delay_ms);
    let cured = history(&link.replace("delay=60", &longer), 900);
    assert_eq!(cure.frames as usize, still(&history_before));
    // Each way is replayed as the lane plays it.
    let age_ms = |history: &LaneHistory| history.report(0).behind_ms_mean;
    assert!((age_ms(&history_before).unwrap() - cure.age_ms).abs() < 1e-6);
    for way in &cure.ways {
        let parts = link.split('&');
        let others = parts.filter(|part| !part.starts_with(&format!("{}=", way.setting)));
        let others: Vec<_> = others.collect();
        let link = format!("{}&{}={}", others.join("&"), way.setting, way.value);
        let lane = history(&link, 900);
        let apart_ms = (age_ms(&lane).unwrap() - way.age_ms).abs();
        assert_eq!(still(&lane) as u64, way.still, "{link} {way:?}");
        assert!(apart_ms < 1e-6, "{link} {way:?}");
    }
    let left = still(&cured) as f64 / cure.frames as f64;
    assert!((left - (1.0 - cure.share)).abs() < 0.1, "{left} {cure:?}");
    // What the longer delay shows later is not still there, where it says that the freeze ends.
    let later = ((cure.delay_ms - 60.0) * 0.06).ceil() as u64;
    let mut ended = 0;
    for freeze in freezes.iter().filter(|it| it.to + later < 900) {
        let ends = |it: &Cure| it.delay_ms == cure.delay_ms && it.ends_this == Some(true);
        if history_before.cure(freeze.to).is_some_and(|it| ends(&it)) {
            let mut ticks = freeze.from + later..=freeze.to + later;
            assert!(ticks.all(|tick| !cured.live(tick).still), "{freeze:?}");
            ended += 1;
        }
    }
    assert!(ended > 0, "{freezes:?}");
}

#[test]
fn a_delay_that_adapts_or_is_none_has_no_cure() {
    for delay in ["adaptive", "none"] {
        let link = format!("#hz=10&loss=25&jitter=60&delay={delay}&interp=linear&grid=6");
        assert_eq!(history(&link, 600).cure(600), None);
    }
}
