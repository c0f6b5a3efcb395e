//! Files of networks as people have them: the sentence about each.

use snapshot_netsim::trace::Trace;

/// The sentence about a file, whether it is taken or refused.
fn told(name: &str) -> String {
    let path = format!("{}/tests/people/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("each named file is there");
    assert!(Trace::begins(&bytes), "{name}");
    match Trace::read(&bytes) {
        Ok(trace) => trace.told().to_owned(),
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn each_file_is_told_as_it_is() {
    for (name, told_of_it) in [
        (
            "fping-timeouts.txt",
            "3 packets, 3.0 s, 1 lost, 0.6 to 1.0 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "fping.txt",
            "60 packets, 3.0 s, 3 lost, 11 to 188 ms there and back, a half for each way",
        ),
        (
            "iperf3.json",
            "refused: it is a report of iperf3, which tells means of each second and no single packets: take ping -D -i 0.2 while iperf3 runs",
        ),
        (
            "irtt.json",
            "3 packets, 0.1 s, 1 lost, 20 to 31 ms there and back, a half for each way",
        ),
        (
            "irtt.txt",
            "4 packets, 4.0 s, 1 lost, 0.7 to 1020 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "mtr.json",
            "refused: it is a report of mtr, which tells means and no single packets: take ping -D -i 0.2",
        ),
        (
            "ping-android.txt",
            "3 packets, 3.0 s, 1 lost, 22 to 25 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-freebsd-clock-set-back.txt",
            "30 packets, 30 s, 0 lost, 12 to 15 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second; 1 row is left out, as no time is told (row 14: \"time=-986.412 ms\"): the packet arrived, and has the delay before it",
        ),
        (
            "ping-icmp_req.txt",
            "20 packets, 20 s, 4 lost, 9.1 to 12 ms there and back, a half for each way",
        ),
        (
            "ping-linux-de-stamped.txt",
            "4 packets, 8.0 s, 1 lost, 14 to 15 ms there and back, a half for each way",
        ),
        (
            "ping-linux-fr-ipv6.txt",
            "4 packets, 4.0 s, 1 lost, 8.2 to 1020 ms there and back, a half for each way",
        ),
        (
            "ping-linux-i0.2.txt",
            "100 packets, 20 s, 2 lost, 18 to 24 ms there and back, a half for each way",
        ),
        (
            "ping-macos-ipv6.txt",
            "4 packets, 4.0 s, 1 lost, 11 to 13 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-powershell-stamped.txt",
            "4 packets, 9.3 s, 1 lost, 29 to 31 ms there and back, a half for each way",
        ),
        (
            "ping-solaris.txt",
            "2 packets, 2.0 s, 0 lost, 0.6 to 0.6 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-totals-differ.txt",
            "4 packets, 4.0 s, 1 lost, 30 to 30 ms there and back, a half for each way; its own last lines tell of 4 sent and 4 received, where 4 and 3 were read",
        ),
        (
            "ping-windows-de-ipv6.txt",
            "4 packets, 4.0 s, 2 lost, 17 to 18 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-windows-es.txt",
            "10 packets, 10 s, 0 lost, 0.5 to 3.0 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-windows-ja.txt",
            "3 packets, 3.0 s, 1 lost, 0.5 to 20 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "ping-windows-stamped.txt",
            "12 packets, 12 s, 1 lost, 20 to 24 ms there and back, a half for each way",
        ),
        (
            "receiver-order.csv",
            "120 packets, 2.0 s, 0 lost, 20 to 63 ms; 7 rows were sent before the row above them: all are sorted by the time of sending",
        ),
        (
            "rows-named.csv",
            "3 packets, 1.5 s, 1 lost, 20 to 24 ms there and back, a half for each way; columns left out: comment",
        ),
        (
            "rtt-list-named.txt",
            "3 packets, 3.0 s, 1 lost, 22 to 24 ms there and back, a half for each way; the file tells no times, so a packet counts as sent each second",
        ),
        (
            "rtt-list-rising.txt",
            "refused: 10 numbers, one a line: which delays are these? Write rtt_ms (round trips, one a second) or delay_ms (one way) above them",
        ),
        (
            "tshark.txt",
            "2 packets, 1.0 s, 1 lost, 22 to 22 ms there and back, a half for each way",
        ),
        (
            "webrtc-named.csv",
            "2 packets, 2.0 s, 0 lost, 34 to 41 ms there and back, a half for each way",
        ),
        (
            "webrtc-rtt-seconds.csv",
            "60 packets, 60 s, 0 lost, 0.02 to 0.03 ms; delays from 0.02 to 0.03 ms: are these seconds? Then name the columns in a first line, as sent_ms,delay_s",
        ),
        (
            "wireshark-of-a-game.csv",
            "refused: it is an export of Wireshark without pings: filter by icmp, and export the packets as CSV with the columns Time and Info",
        ),
        (
            "wireshark.csv",
            "30 packets, 6.0 s, 2 lost, 18 to 26 ms there and back, a half for each way",
        ),
    ] {
        assert_eq!(told(name), told_of_it, "{name}");
    }
}
