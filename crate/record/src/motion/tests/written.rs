//! Motions as text. The tests of the crate `app` take this file too.

pub(crate) const HEADER: &str = "tick,object,x,y,z,qx,qy,qz,qw";

/// Ticks of [`game`] in a second.
const HZ: u64 = 240;
pub(crate) const EVENTS: &str = "rate=240\ntick,object,event,x,y,z,qx,qy,qz,qw\n";

/// Two objects: the first slides along x at 3 m/s, the second lies still.
pub(crate) fn slide(ticks: u64) -> String {
    let mut text = format!("{HEADER}\n");
    for tick in 0..=ticks {
        text += &format!("{tick},7,{},-3,0.5,0,0,0,1\n", tick as f32 * 0.05 - 2.5);
        if tick == 0 {
            text += "0,900,10,20,30,0.5,0.5,-0.5,0.5\n";
        }
    }
    text
}

/// Three seconds at 240 Hz. Object 1 runs along x at 10 m/s, and jumps every half second: from 5 m to 100 m, from 105 m to 0.
/// Object 2 ends after a second and is there again half a second later. Shots appear every tenth of a second and live for a
/// fifth. After two seconds and a half nothing comes or goes any more.
pub(crate) fn game() -> String {
    let mut text = EVENTS.to_string();
    let mut row = |tick: u64, object: u64, event: &str, [x, y, z]: [f64; 3]| {
        // The bounds then hold no zero: an empty slot is nowhere.
        let z = z + 3.0;
        text += &format!("{tick},{object},{event},{x:.4},{y:.4},{z:.4},0,0,0,1\n");
    };
    for tick in 0..=3 * HZ {
        let seconds = tick as f64 / HZ as f64;
        let lap = (tick / 120).min(5);
        let along = (tick - 120 * lap) as f64 / HZ as f64 * 10.0;
        let x = if lap % 2 == 0 { along } else { 100.0 + along };
        let jumps = lap > 0 && tick == 120 * lap;
        row(tick, 1, if jumps { "jump" } else { "" }, [x, 0.0, 0.5]);
        match tick {
            240 => row(tick, 2, "end", [0.0; 3]),
            360 => row(tick, 2, "spawn", [5.0, 5.0 + seconds, 0.5]),
            241..360 => {}
            _ => row(tick, 2, "", [5.0, 5.0 + seconds, 0.5]),
        }
        for shot in 1..=22 {
            let age = tick as i64 - 24 * shot as i64;
            match age {
                0..48 => row(tick, 100 + shot, "", [shot as f64, 0.1 * age as f64, 1.0]),
                48 => row(tick, 100 + shot, "end", [0.0; 3]),
                _ => {}
            }
        }
    }
    text
}

/// A slide at 3 m/s that is put back by 8 m in tick 50, and by 2 m in tick 80, at 60 Hz.
pub(crate) fn respawns() -> String {
    let rows = (0..=120).map(|tick| {
        let back = if tick >= 50 { 8.0 } else { 0.0 } + if tick >= 80 { 2.0 } else { 0.0 };
        format!("{tick},0,{},0,0,0,0,0,1\n", tick as f32 * 0.05 - back)
    });
    format!("{HEADER}\n{}", rows.collect::<String>())
}

/// An object that slides along x at 3 m/s for a number of seconds. Where ticks are given as times, they are in whole ms.
pub(crate) fn slide_at(hz: u32, seconds: u32, times: bool) -> String {
    let mut text = match times {
        true => format!("{}\n", HEADER.replace("tick", "time")),
        false => format!("rate={hz}\n{HEADER}\n"),
    };
    for tick in 0..=hz * seconds {
        let at = f64::from(tick) / f64::from(hz);
        let when = match times {
            true => format!("{:.3}", 7.0 + at),
            false => tick.to_string(),
        };
        text += &format!("{when},0,{},0,0,0,0,0,1\n", 3.0 * at);
    }
    text
}
