//! Body of the target `files`: the kind of a file, two files that are judged, answers of a blind test, and bytes from
//! a Worker.

use snapshot_analysis::blind_test::test_run::TestRun;
use snapshot_analysis::blind_test::trials;
use snapshot_analysis::judge::judge;
use snapshot_analysis::subject::Subject;
use snapshot_app::file_kind::FileKind;
use snapshot_lane::client::ClientRecording;
use snapshot_netsim::trace::Trace;
use snapshot_record::motion::track::Track;
use snapshot_record::motion::{Incoming, Motion};

/// Takes any bytes as a file, and as that of a server and that of its client, which two line ends part.
pub fn files(data: &[u8]) {
    let _ = FileKind::from_head(data);
    if let Some(mut incoming) = Incoming::new(data) {
        let _ = incoming.add(data);
    }
    if let Some(trace) = Trace::of_bytes(data) {
        assert_eq!(Trace::of_bytes(&trace.to_bytes()), Some(trace));
    }
    let _ = ClientRecording::of_bytes(data);
    let _ = Subject::of_bytes(data);
    if let Ok(answers) = trials::read(&String::from_utf8_lossy(data))
        && let Some(first) = answers.first()
    {
        let test = first.test;
        let answers = answers.into_iter().filter(|it| it.test == test).collect();
        assert!(!TestRun::new(test, 0, answers).outcome().text().is_empty());
    }
    let middle = data.windows(2).position(|two| two == b"\n\n");
    let (server, client) = data.split_at(middle.unwrap_or(data.len() / 2));
    let Ok(truth) = Track::read(server, None) else {
        return;
    };
    let Ok(drawn) = Track::read(client.trim_ascii_start(), Some(&truth)) else {
        return;
    };
    let Ok(judged) = judge(&truth, &drawn, 50.0) else {
        return;
    };
    assert!(judged.judgement.delay_ms.is_finite());
    if let Ok(motion) = Motion::read(server) {
        let recording = judged.recording(&motion, 0);
        let again = ClientRecording::of_bytes(&recording.to_bytes());
        assert!(again.is_some_and(|again| again.objects() == motion.objects()));
    }
}
