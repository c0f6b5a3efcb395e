use super::*;
use crate::channel::{Channel, Conditions};
use proptest::prelude::*;

fn read(text: &str) -> Trace {
    Trace::read(text.as_bytes()).unwrap()
}

fn refused(file: impl AsRef<[u8]>) -> String {
    Trace::read(file.as_ref()).unwrap_err().to_string()
}

/// Send time, delay, loss.
fn rows(trace: &Trace) -> Vec<(f64, f64, bool)> {
    let rows = trace.delays().rows().iter();
    rows.map(|row| (row.sent_ms, row.delay_ms, row.lost))
        .collect()
}

const ROWS: &str = "sent_ms,delay_ms,bytes\n100,20,70\n120,lost,71\n\n140,30.5,72\n";

const LINUX: &str = "\
PING example.com (93.184.216.34) 56(84) bytes of data.
64 bytes from 93.184.216.34: icmp_seq=2 ttl=56 time=11.4 ms
no answer yet for icmp_seq=3
64 bytes from 93.184.216.34: icmp_seq=4 ttl=56 time=2012 ms
64 bytes from 93.184.216.34: icmp_seq=3 ttl=56 time=3020 ms
64 bytes from 93.184.216.34: icmp_seq=4 ttl=56 time=2013 ms (DUP!)
From 192.168.1.1 icmp_seq=5 Destination Host Unreachable

--- example.com ping statistics ---
7 packets transmitted, 3 received, 57% packet loss, time 6004ms
rtt min/avg/max/mdev = 11.446/11.446/11.446/0.000 ms
";

const MACOS: &str = "\
PING example.com (93.184.216.34): 56 data bytes
64 bytes from 93.184.216.34: icmp_seq=0 ttl=56 time=11.446 ms
Request timeout for icmp_seq 1
64 bytes from 93.184.216.34: icmp_seq=2 ttl=56 time=12.5 ms
";

const WINDOWS: &str = "\r
Pinging example.com [93.184.216.34] with 32 bytes of data:\r
Request timed out.\r
Reply from 93.184.216.34: bytes=32 time=14ms TTL=56\r
Reply from 192.168.1.1: Destination host unreachable.\r
Reply from 93.184.216.34: bytes=32 time<1ms TTL=56\r
\r
Ping statistics for 93.184.216.34:\r
    Packets: Sent = 4, Received = 2, Lost = 2 (50% loss),\r
Approximate round trip times in milli-seconds:\r
    Minimum = 0ms, Maximum = 14ms, Average = 7ms\r
";

#[test]
fn a_packet_takes_the_newest_row_at_or_before_it_and_rows_repeat() {
    let trace = read(ROWS);
    assert_eq!(
        rows(&trace),
        [(0.0, 20.0, false), (20.0, 20.0, true), (40.0, 30.5, false)]
    );
    // Two intervals of 20 ms, and a third until the first row again.
    assert_eq!(trace.length_ms(), 60.0);
    let delays = trace.delays();
    let at = |sent_ms| delays.at(sent_ms).sent_ms;
    for repetition in [0.0, 60.0, 60e6] {
        for (sent_ms, expected_ms) in [
            (0.0, 0.0),
            (19.99, 0.0),
            (20.0, 20.0),
            (39.0, 20.0),
            (40.0, 40.0),
            (59.9, 40.0),
        ] {
            assert_eq!(at(repetition + sent_ms), expected_ms, "{sent_ms}");
        }
    }
    assert_eq!(delays.rows()[2].bytes, Some(72));
    assert_eq!(delays.longest_ms(), 30.5);
}

#[test]
fn names_with_units_and_words_do_not_matter_and_the_file_is_the_name() {
    let plain = read(ROWS);
    let (names, named) = ("sent_ms,delay_ms,bytes", "columns=time_ms,delay_ms,bytes");
    for text in [
        ROWS.replace('\n', "\r"),
        ROWS.replace(names, "Sent (ms),DELAY [ms],Bytes"),
        ROWS.replace(names, &format!("{named}\na,b,c")),
        ROWS.replace(names, named),
        format!("\u{feff}{}", ROWS.replace("lost", "LOST")),
    ] {
        let other = read(&text);
        assert_eq!(other.delays(), plain.delays(), "{text}");
        assert!(other.fingerprint() != plain.fingerprint() && other != plain);
    }
    assert_eq!(read(ROWS), plain);
}

#[test]
fn losses_keep_the_delay_before_them_and_the_first_ones_that_of_the_end() {
    let trace = read("sent_ms,delay_ms\n0,lost\n10,5\n20,lost\n30,7\n");
    let delays: Vec<f64> = rows(&trace).iter().map(|row| row.1).collect();
    assert_eq!(delays, [7.0, 5.0, 5.0, 7.0]);
}

#[test]
fn ping_of_linux_is_halved_and_missing_numbers_are_lost() {
    let trace = read(LINUX);
    // Its last lines tell of 6,004 ms from the first packet to the last.
    let rounded = |(ms, delay, lost): (f64, f64, bool)| (ms.round(), delay, lost);
    assert_eq!(
        rows(&trace).into_iter().map(rounded).collect::<Vec<_>>(),
        [
            (0.0, 1006.0, true),
            (1001.0, 5.7, false),
            (2001.0, 1510.0, false),
            (3002.0, 1006.0, false),
            (4003.0, 1006.0, true),
            (5003.0, 1006.0, true),
            (6004.0, 1006.0, true),
        ]
    );
    assert_eq!(
        trace.description(),
        "7 packets, 7.0 s, 4 lost, 11 to 3020 ms there and back, a half for each way"
    );
    let endless: String = LINUX
        .lines()
        .take(8)
        .map(|line| format!("{line}\n"))
        .collect();
    let trace = read(&endless);
    assert!(trace.has_assumed_interval() && trace.description().contains("sent each second"));
    let stated = read(&format!("interval_ms=200\n{endless}"));
    assert!(!stated.has_assumed_interval());
    assert_eq!(stated.length_ms(), trace.length_ms() / 5.0);
    assert!(
        stated
            .description()
            .ends_with("sent every 200 ms, as its first line says"),
        "{}",
        stated.description()
    );
    let with_times = read("interval_ms=200\nsent_ms,delay_ms\n0,20\n10,30\n");
    assert_eq!(with_times.length_ms(), 20.0);
    assert!(with_times.description().ends_with("is not used"));
    assert!(Trace::read(format!("interval_ms=0\n{endless}").as_bytes()).is_ok());
}

#[test]
fn ping_with_times_has_packets_at_its_replies_less_their_round_trips() {
    let text = "PING x (1.2.3.4) 56(84) bytes of data.\n\
        [1700000000.250000] 64 bytes from 1.2.3.4: icmp_seq=1 ttl=56 time=50.0 ms\n\
        [1700000000.860000] 64 bytes from 1.2.3.4: icmp_seq=4 ttl=56 time=60.0 ms\n";
    let trace = read(text);
    // Sent at 0.2 s and at 0.8 s, two between them.
    let rows = rows(&trace);
    let sent_ms: Vec<f64> = rows.iter().map(|row| row.0.round()).collect();
    assert_eq!(sent_ms, [0.0, 200.0, 400.0, 600.0]);
    assert_eq!(rows.iter().filter(|row| row.2).count(), 2);
    assert_eq!(trace.length_ms().round(), 800.0);
    assert!(!trace.has_assumed_interval());
}

#[test]
fn ping_of_macos_and_busybox_count_from_0_and_numbers_wrap() {
    let trace = read(MACOS);
    let expected = [
        (0.0, 5.723, false),
        (1000.0, 5.723, true),
        (2000.0, 6.25, false),
    ];
    assert_eq!(rows(&trace), expected);
    let busybox = MACOS
        .replace("icmp_seq=", "seq=")
        .replace("Request timeout for icmp_seq 1\n", "");
    assert_eq!(rows(&read(&busybox)), expected);
    let line = |number: u32| {
        let number = number % 65_536;
        format!("64 bytes from 1.2.3.4: icmp_seq={number} ttl=56 time=10 ms\n")
    };
    let numbers = (65_000..66_000).filter(|number| number % 10 != 0);
    let wrapped: String = numbers.map(line).collect();
    let trace = read(&wrapped);
    // The first that was heard of is 65,001, and the last of 1,000 is 65,999.
    assert_eq!(trace.packets(), 999);
    assert_eq!(rows(&trace).iter().filter(|row| row.2).count(), 99);
}

#[test]
fn ping_of_windows_is_read_in_any_language_and_in_wide_letters() {
    let expected = [
        (0.0, 0.25, true),
        (1000.0, 7.0, false),
        (2000.0, 7.0, true),
        (3000.0, 0.25, false),
    ];
    let trace = read(WINDOWS);
    assert_eq!(rows(&trace), expected);
    let german = "\r\nPing wird ausgeführt für example.com [93.184.216.34] mit 32 Bytes Daten:\r\n\
        Zeitüberschreitung der Anforderung.\r\n\
        Antwort von 93.184.216.34: Bytes=32 Zeit=14ms TTL=56\r\n\
        Antwort von 192.168.1.1: Zielhost nicht erreichbar.\r\n\
        Antwort von 93.184.216.34: Bytes=32 Zeit<1ms TTL=56\r\n\r\n\
        Ping-Statistik für 93.184.216.34:\r\n    Minimum = 0ms, Maximum = 14ms, Mittelwert = 7ms\r\n";
    assert_eq!(rows(&read(german)), expected);
    let french = german
        .replace("Antwort von", "R\u{e9}ponse de")
        .replace("34: Bytes=32 Zeit=14ms", "34\u{a0}: octets=32 temps=14 ms");
    assert_eq!(rows(&read(&french)), expected);
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(WINDOWS.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(rows(&Trace::read(&wide).unwrap()), expected);
    // An old code page: bytes that are no UTF-8.
    let old: Vec<u8> = german.chars().map(|letter| letter as u8).collect();
    assert_eq!(rows(&Trace::read(&old).unwrap()), expected);
}

#[test]
fn a_ping_may_lose_its_first_hundred_replies() {
    let lost = "Превышен интервал ожидания для запроса.\n".repeat(120);
    let text = format!(
        "Обмен пакетами с 1.1.1.1 по с 32 байтами данных:\n{lost}Ответ от 1.1.1.1: число байт=32 время=14мс TTL=57\n"
    );
    let trace = read(&text);
    assert_eq!(trace.packets(), 121);
    assert!(!rows(&trace)[120].2);
}

#[test]
fn every_bad_file_is_refused_in_words_and_every_bad_row_by_its_line() {
    let lines = include_str!("refused.txt").lines().skip(1);
    for line in lines {
        let (file, reason) = line.split_once(" => ").expect(line);
        let file = file.replace("\\r", "\r").replace("\\n", "\n");
        let error = refused(&file);
        assert!(error.starts_with(reason), "{file:?}: {error}");
        fuzz(file.as_bytes());
    }
    let picture = refused(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    assert!(picture.starts_with("it is no trace: its first line is"));
    assert_eq!(
        refused([LINUX, LINUX].concat()),
        "row 12: a second run of ping begins: a trace is one run"
    );
    assert!(refused([WINDOWS, WINDOWS].concat()).contains("a second run of ping"));
}

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn what_is_too_much_is_refused() {
    let many = "[9.0] x icmp_seq=1 y\nx icmp_seq=30000\n";
    let many: String = [
        many,
        "x icmp_seq=60000\nx icmp_seq=20000\nx icmp_seq=40000\nx icmp_seq=1\nx icmp_seq=30000\n",
    ]
    .concat();
    let laps = many.repeat(20);
    assert!(refused(laps).ends_with("a trace has at most 1000000 packets"));
    assert!(refused(vec![b'7'; BYTES_MAX + 1]).starts_with("it has more than 64 MB"));
    let lines: String = (0..=ROWS_MAX).map(|line| format!("{line},1\n")).collect();
    assert!(
        refused(format!("sent_ms,rtt_ms\n{lines}")).starts_with("row 1000002: a trace has at most")
    );
    let long = refused(format!("0,{}\n", "x".repeat(1 << 20)));
    assert!(long.len() < 400, "{long}");
}

fn line() -> impl Strategy<Value = String> {
    let time = || 0..200_u32;
    prop_oneof![
        4 => (time(), 0..90_u32).prop_map(|(at, ms)| format!("{at},{ms}")),
        2 => time().prop_map(|at| format!("{at},lost")),
        2 => time().prop_map(|at| at.to_string()),
        4 => (0..20_u32, 0..500_u32).prop_map(|(number, ms)| format!("64 bytes from x: icmp_seq={number} ttl=5 time={ms}.5 ms")),
        2 => (0..90_u32, 0..900_u32, 0..500_u32).prop_map(|(at, number, ms)| format!("[{at}.5] 64 bytes from x: icmp_seq={number} ttl=5 time={ms} ms")),
        1 => (0..900_u32).prop_map(|number| format!("Request timeout for icmp_seq {number}")),
        3 => (0..500_u32).prop_map(|ms| format!("Reply from 1.2.3.4: bytes=32 time={ms}ms TTL=5")),
        1 => Just("Request timed out.".to_string()),
        1 => Just("sent_ms,delay_ms".to_string()),
        1 => Just("PING x (1.2.3.4) 56(84) bytes of data.".to_string()),
        1 => (0..99_u32).prop_map(|sent| format!("{sent} packets transmitted")),
        1 => "[ -~]{0,12}",
        1 => Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_lines_are_read_or_refused(lines in prop::collection::vec(line(), 0..30), sorted: bool) {
        let mut lines = lines;
        if sorted {
            lines.sort();
        }
        fuzz(lines.join("\n").as_bytes());
        fuzz(format!("sent_ms,delay_ms\n{}", lines.join("\n")).as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        fuzz(&bytes);
        fuzz(&[b"sent_ms,delay_ms\n0,1\n", &bytes[..]].concat());
    }

    #[test]
    fn written_rows_are_read_back_to_the_bit(
        times in prop::collection::vec((0.0..500.0_f64, prop::option::of(0.0..9000.0_f64), prop::option::of(any::<u16>())), 2..40),
    ) {
        let mut sent_ms = 0.0;
        let mut packets = vec![(0.0, Some(1.5), None)];
        for (after_ms, delay_ms, bytes) in times {
            sent_ms += after_ms + 0.001;
            packets.push((sent_ms, delay_ms, bytes));
        }
        let trace = read(&csv::write(packets.iter().copied()));
        let rows = trace.delays().rows();
        prop_assert_eq!(rows.len(), packets.len());
        for (row, (sent_ms, delay_ms, bytes)) in rows.iter().zip(packets) {
            prop_assert_eq!((row.sent_ms, row.bytes), (sent_ms, bytes));
            prop_assert_eq!((!row.lost).then_some(row.delay_ms), delay_ms);
        }
    }
}

#[test]
fn a_recording_of_several_paths_is_the_fullest_to_a_client() {
    let row = |n: u32, path| format!("{},{}.5,100,{path}\n", n * 10, 20 + n % 7);
    let rows = (0..60).map(|n| match n % 6 {
        0 => row(n, "down-1"),
        1 | 2 => row(n, "down-2"),
        _ => row(n, "up-1"),
    });
    let text: String = rows.collect();
    let trace = read(&format!("sent_ms,delay_ms,bytes,path\n{text}"));
    assert_eq!(trace.packets(), 20);
    let found = trace.description();
    assert!(
        found.ends_with("; 3 paths, of which down-2 is taken"),
        "{found}"
    );
    let of_one = text.lines().filter(|line| line.ends_with("down-2"));
    let of_one: String = of_one
        .map(|line| format!("{}\n", line.trim_end_matches(",down-2")))
        .collect();
    let of_one = format!("sent_ms,delay_ms,bytes\n{of_one}");
    assert_eq!(read(&of_one).delays(), trace.delays());
}

#[test]
fn a_path_up_beside_the_one_down_is_the_way_back() {
    let rows = (0..50).map(|n| {
        let (ms, up_ms) = (n * 20, 95 + n * 7);
        format!(
            "{ms},{}.5,down-1\n{up_ms},{},up-1\n",
            40 + n % 5,
            10 + n % 3
        )
    });
    let text: String = std::iter::once("sent_ms,delay_ms,path\n".to_string())
        .chain(rows)
        .collect();
    let trace = read(&text);
    assert_eq!(
        (trace.packets(), trace.delays_back().rows().len()),
        (50, 50)
    );
    assert_eq!(trace.delays().at(0.0).delay_ms, 40.5);
    assert_eq!(trace.delays_back().at(96.0).delay_ms, 10.0);
    // Before the first row the last one of the repetition before holds.
    let last = trace.delays_back().rows().last().unwrap();
    assert_eq!(trace.delays_back().at(94.0), last);
    assert_eq!(trace.delays_back().length_ms(), trace.delays().length_ms());
    // An offset moves both ways by the same time.
    let later = trace.from_ms(111.0);
    for ms in (0..2000).map(f64::from) {
        assert_eq!(
            later.delays().at(ms).delay_ms,
            trace.delays().at(ms + 120.0).delay_ms
        );
        let [is, was] = [
            later.delays_back().at(ms),
            trace.delays_back().at(ms + 120.0),
        ];
        assert_eq!(is.delay_ms, was.delay_ms, "{ms}");
    }
    // Where nothing arrives on the way up, both ways are the way down.
    let lost = "sent_ms,delay_ms,path\n0,20,down\n5,lost,up\n20,21,down\n";
    let trace = read(lost);
    assert_eq!(trace.delays_back(), trace.delays());
}

#[test]
fn a_channel_back_takes_the_rows_of_the_way_back() {
    let text = "sent_ms,delay_ms,path\n0,50,down-1\n0,20,up-1\n30,50,down-1\n30,lost,up-1\n";
    let trace = std::sync::Arc::new(read(text));
    for (direction, expected) in [(0, vec![50.0, 90.0]), (1, vec![20.0])] {
        let mut link = Channel::recorded(Conditions::PERFECT, 1, direction, Some(&trace));
        for number in 0..2 {
            link.send(40.0 * number as f64, number, &[0], 1);
        }
        let mut packet = Vec::new();
        let delivered = std::iter::from_fn(|| link.receive(1000.0, &mut packet));
        let arrivals_ms: Vec<f64> = delivered.map(|it| it.arrival_ms).collect();
        assert_eq!(arrivals_ms, expected);
    }
}

#[test]
fn a_table_whose_columns_are_not_known_is_asked_about() {
    let rows = |step_ms: f64| -> String {
        let row = |row: u32| format!("{},{},5000\n", f64::from(row) * step_ms, 20 + row % 3);
        (0..20).map(row).collect()
    };
    for names in [
        "",
        "time,rtt_ms,bytes\n",
        "t,rtt_ms,bytes\n",
        "sent_ms,latency,bytes\n",
        "a,b,c\n",
        "sent_ms,delay_ms,rx_ms\n",
    ] {
        let text = format!("{names}{}", rows(33.0));
        let asked = refused(&text);
        assert!(
            asked.starts_with("which column is which? It has "),
            "{asked}"
        );
        assert!(
            asked.contains("columns=") && !Trace::begins(text.as_bytes()),
            "{asked}"
        );
        let stated = read(&format!("columns=time_ms,rtt_ms,bytes\n{text}"));
        assert_eq!((stated.packets(), stated.delays().longest_ms()), (20, 11.0));
    }
    let unknown = "columns=time_ms,wide\n0,1\n1,2\n";
    assert!(refused(unknown).starts_with("columns has \"wide\": a word is tick"));
    let wide = refused(format!("columns=time_ms,rtt_ms,-,-\n{}", rows(33.0)));
    assert_eq!(wide, "columns= has 4 words, where there are 3 columns");
    // Tests of speed are no packets, unless a person says so.
    let hours = rows(3_600_000.0);
    let doubt = refused(format!("sent_ms,rtt_ms,bytes\n{hours}"));
    assert!(
        doubt.starts_with("a row each 3600 s: are these packets"),
        "{doubt}"
    );
    let stated = read(&format!("columns=time_ms,rtt_ms,bytes\n{hours}"));
    assert_eq!(stated.packets(), 20);
}

#[test]
fn missing_numbers_are_lost_where_a_person_says_so() {
    // Two packets change places, one is lost, and the numbers begin anew.
    let numbers = [65_533, 65_535, 65_534, 1, 2, 3];
    let row = |(at, seq): (usize, u32)| format!("{},{},{seq}\n", at * 20, 30 + at);
    let text: String = numbers.into_iter().enumerate().map(row).collect();
    let named = format!("sent_ms,delay_ms,seq\n{text}");
    let asked = refused(&named);
    assert!(asked.starts_with("seq lacks 1 of its numbers"), "{asked}");
    let trace = read(&format!("columns=time_ms,delay_ms,seq\n{named}"));
    let lost = rows(&trace).into_iter().filter(|row| row.2);
    let lost: Vec<f64> = lost.map(|row| row.0).collect();
    assert_eq!((trace.packets(), lost), (7, vec![40.0]));
    let found = trace.description();
    assert!(
        found.ends_with("1 numbers of seq are missing in the file, each a lost packet"),
        "{found}"
    );
    let left_out = read(&format!("columns=time_ms,delay_ms,-\n{named}"));
    assert_eq!(left_out.packets(), 6);
    // Numbers without a gap are no question, and give the times of rows without them.
    assert_eq!(read("sent_ms,delay_ms,seq\n0,5,7\n9,5,8\n").packets(), 2);
    let untimed = read("columns=seq,rtt_ms\nseq,rtt_ms\n4,50\n5,52\n8,54\n9,50\n");
    assert_eq!((untimed.packets(), untimed.length_ms()), (6, 6000.0));
    // Two runs in one file, and numbers far apart.
    for rows in [
        "0,5,0\n1,5,1\n2,5,0\n3,5,2\n",
        "0,5,100\n1,5,0\n2,5,70000\n",
    ] {
        let anew = refused(format!("columns=time_ms,delay_ms,seq\n{rows}"));
        assert!(anew.contains("do they begin anew?"), "{anew}");
    }
}

#[test]
fn times_of_day_and_dates_are_times_of_sending() {
    for text in [
        "time,rtt_ms\n23:59:59.5,20\n00:00:00.0,21\n00:00:00.5,22\n",
        "sent,delay_ms\n2026-09-20T11:00:00.0Z,10\n2026-09-20T11:00:00.5Z,10.5\n2026-09-20T11:00:01.0Z,11\n",
        "time;delay_ms\n2026-09-20 11:00:00.0;10\n2026-09-20 11:00:00.5;10.5\n2026-09-20 11:00:01.0;11\n",
    ] {
        let expected = [
            (0.0, 10.0, false),
            (500.0, 10.5, false),
            (1000.0, 11.0, false),
        ];
        assert_eq!(rows(&read(text)), expected, "{text}");
    }
}
