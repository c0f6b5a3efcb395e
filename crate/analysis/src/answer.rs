//! Questions about a motion and its lanes, and their answers.
//!
//! A question is answered by one function, from begin to end: in a Worker of the page, or on the command line.

use crate::comparison::{Compared, LaneSetup, compare};
use crate::ladder::{self, RungCosts, SIMULATED_HZ_MAX};
use crate::progress::Tell;
use crate::span::TickSpan;
use crate::subject::Subject;
use crate::trade::{Plan, Trade, TradeError, VariedSetting};
use crate::widths::{self, WidthCounts};
use serde::{Deserialize, Serialize};
use snapshot_codec::Class;
use snapshot_settings::{Settings, permalink};

/// A question about a motion and its lanes, over all ticks that the tape stores.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AnalysisQuestion"))]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// The costs of the motion on every rung.
    Ladder,
    /// The costs of all pairs of widths, with lane A's settings.
    Widths,
    /// The trade-off of every combination of these values, such as `hz=10,20,30` and `interp=linear,hermite`. All other settings
    /// are lane A's.
    Trade { vary: Vec<String> },
    /// The comparison of lanes A and B.
    Comparison,
}

/// An answer, or as much of it as is known so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AnalysisAnswer"))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Ladder(Ladders),
    Widths(WidthCounts),
    Trade(Trade),
    Comparison(Compared),
}

/// The ladders of lanes A and B.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ladders {
    pub a: RungCosts,
    /// The ladder of lane B; `None` if it equals A's, or if lane B has none.
    pub b: Option<RungCosts>,
}

/// Answers a question. `tell` hears of the answer so far.
///
/// # Errors
/// When a trade-off cannot be measured.
pub fn answer(
    question: &Question,
    subject: &mut Subject,
    tell: Tell<Answer>,
) -> Result<Answer, TradeError> {
    Ok(match question {
        Question::Ladder => Answer::Ladder(ladders(subject, tell)),
        Question::Widths => {
            let [a, _] = &subject.lanes;
            let (tape, span) = (subject.tape(), TickSpan::stored(subject.tape()));
            let mut tell = |share: f64, so_far: &dyn Fn() -> WidthCounts| {
                tell(share, &|| Answer::Widths(so_far()));
            };
            let counts = widths::count(tape, &a.settings, &a.link_inputs, span, &mut tell);
            Answer::Widths(counts)
        }
        Question::Trade { vary } => {
            let varied = vary.iter().map(|text| VariedSetting::parse(text));
            let varied: Vec<_> = varied.collect::<Result<_, _>>()?;
            let motion = subject.tape().motion();
            let slots = motion.map(|session_config| session_config.has_slots);
            let plan = Plan::new(&subject.lanes[0].settings, &varied, slots)?;
            subject.make_worlds_for(plan.settings());
            let mut tell = |share: f64, so_far: &dyn Fn() -> Trade| {
                tell(share, &|| Answer::Trade(so_far()));
            };
            // Fates that are set by hand belong to the packets of one setting alone.
            let mut link_inputs = subject.lanes[0].link_inputs.clone();
            link_inputs.overrides = Default::default();
            Answer::Trade(plan.measure(subject.tape(), &link_inputs, 0, &mut tell))
        }
        Question::Comparison => {
            let both = subject.lanes.each_ref().map(|lane| lane.settings);
            subject.make_worlds_for(both.iter());
            let [a, b] = subject.tapes().map(TickSpan::stored);
            let span = TickSpan {
                after: a.after.max(b.after),
                last: a.last.min(b.last),
            };
            let mut tell = |share: f64, so_far: &dyn Fn() -> Compared| {
                tell(share, &|| Answer::Comparison(so_far()));
            };
            Answer::Comparison(compare(subject.tapes(), &subject.lanes, span, &mut tell))
        }
    })
}

/// Returns a text of all that an answer depends on beside the motion and a recorded link.
pub fn inputs(question: &Question, [a, b]: &[LaneSetup; 2]) -> String {
    let of = |settings: &Settings| permalink::format(settings);
    let settings = match question {
        Question::Ladder => [of(&ladder::used(&a.settings)), {
            let has_ladder = b.settings.strategy().row().plays_snapshots;
            of(&ladder::used(if has_ladder {
                &b.settings
            } else {
                &a.settings
            }))
        }],
        Question::Widths => [of(&widths::used(&a.settings)), String::new()],
        Question::Trade { .. } => [of(&a.settings), String::new()],
        Question::Comparison => [of(&a.settings), of(&b.settings)],
    };
    let overrides = [a, b].map(|lane| &lane.link_inputs.overrides);
    format!("{settings:?} {overrides:?}")
}

/// Measures the ladder of lane A, and that of lane B where it has another one.
fn ladders(subject: &Subject, tell: Tell<Answer>) -> Ladders {
    let [a, b] = &subject.lanes;
    let is_other =
        ladder::used(&b.settings) != ladder::used(&a.settings) || b.link_inputs != a.link_inputs;
    let has_ladder = b.settings.strategy().row().plays_snapshots && !subject.has_two_motions();
    let of_b = (is_other && has_ladder).then_some(b);
    let lanes = if of_b.is_some() { 2.0 } else { 1.0 };
    let (tape, span) = (subject.tape(), TickSpan::stored(subject.tape()));
    let climb = |lane: &LaneSetup, tell: Tell<RungCosts>| {
        let mut rungs = ladder::rungs(tape, &Class::ALL);
        rungs.retain(|(rung, _)| simulates_in_time(&lane.settings) || !rung.needs_simulation());
        let (settings, link_inputs) = (&lane.settings, &lane.link_inputs);
        ladder::climb(tape, settings, link_inputs, span, &rungs, tell)
    };
    let answer = |a: RungCosts, b: Option<RungCosts>| Answer::Ladder(Ladders { a, b });
    let a = climb(a, &mut |share, so_far| {
        tell(share / lanes, &|| answer(so_far(), None));
    });
    let b = of_b.map(|b| {
        climb(b, &mut |share, so_far| {
            let b = || Some(so_far());
            tell((1.0 + share) / lanes, &|| answer(a.clone(), b()));
        })
    });
    Ladders { a, b }
}

/// Returns true if rungs that simulate at both ends are measured in seconds, not minutes.
fn simulates_in_time(settings: &Settings) -> bool {
    settings.chosen_rate_hz() <= SIMULATED_HZ_MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::settings;
    use snapshot_lane::history::LaneHistory;
    use snapshot_lane::measure::table::Figure;
    use snapshot_netsim::channel::{LinkInputs, Override};
    use snapshot_netsim::trace::Trace;
    use snapshot_record::tape::Tape;
    use std::sync::Arc;

    fn side(link: &str) -> LaneSetup {
        LaneSetup {
            settings: settings(link),
            link_inputs: LinkInputs::default(),
        }
    }

    /// Answers a question about a subject that went through bytes, as a Worker gets it.
    fn arrived(question: &Question, lanes: &[LaneSetup; 2], tapes: [&Tape; 2]) -> Answer {
        let bytes = Subject::to_bytes(lanes, tapes);
        let mut arrived = Subject::of_bytes(&bytes).unwrap();
        let mut last = 0.0;
        let mut tell = |share: f64, _: &dyn Fn() -> Answer| {
            assert!((last..=1.0).contains(&share), "{last} {share}");
            last = share;
        };
        answer(question, &mut arrived, &mut tell).unwrap()
    }

    const LINK: &str = "#scene=katamari&grid=5&hz=20&loss=10&jitter=20";

    #[test]
    #[ignore = "takes long: `cargo xtask test apart` runs it"]
    fn an_answer_in_another_thread_is_that_of_the_page_s_own_tape() {
        let mut a = side(LINK);
        a.link_inputs.overrides.set(3, Some(Override::Lost));
        a.link_inputs.overrides.set(9, Some(Override::Delivered));
        let sync = side(&format!("{LINK}&strategy=sync&soft=0"));
        // The first seconds are forgotten: the Worker simulates them again.
        let mut tape = Tape::record(&a.settings, 70 * 60);
        tape.cut(4000..4010);
        let mut b_tape = Tape::record(&sync.settings, 70 * 60);
        b_tape.cut(4000..4010);
        assert!(tape.first_tick() > 0 && tape.made_from() != b_tape.made_from());
        let lanes = [a.clone(), sync.clone()];
        let span = TickSpan::stored(&tape);
        let answered = arrived(&Question::Comparison, &lanes, [&tape, &b_tape]);
        let own = compare([&tape, &b_tape], &lanes, span, &mut |_, _| ());
        assert_eq!(answered, Answer::Comparison(own));
        let vary = vec!["hz=20,30".to_string()];
        let Answer::Trade(trade) = arrived(&Question::Trade { vary }, &lanes, [&tape, &tape])
        else {
            panic!("another answer");
        };
        // The first point has lane A's settings; fates by hand are not of the trade.
        let of_a = LinkInputs::default();
        let run = LaneHistory::run(&tape, &a.settings.lane(), &of_a, tape.first_tick()).report(0);
        let kbps = trade
            .points
            .iter()
            .map(|point| point.figure(Figure::by_id("kbps_mean")));
        assert_eq!(kbps.collect::<Vec<_>>()[0], run.kbps_mean);
        assert_eq!(trade.points.len(), 2);
        let Answer::Widths(widths) = arrived(&Question::Widths, &lanes, [&tape, &tape]) else {
            panic!("another answer");
        };
        assert_eq!(
            (widths.after_tick, widths.last_tick),
            (span.after, span.last)
        );
    }

    #[test]
    fn lane_b_has_a_ladder_where_it_is_another() {
        let tape = Tape::record(&settings(LINK), 60);
        let ladders = |b: &str| {
            let lanes = [side(LINK), side(b)];
            match arrived(&Question::Ladder, &lanes, [&tape, &tape]) {
                Answer::Ladder(ladders) => ladders,
                other => panic!("{other:?}"),
            }
        };
        let same = ladders(&format!("{LINK}&codec=position&interp=hermite"));
        assert!(same.b.is_none() && same.a.rows.len() == 18);
        let other = ladders(&LINK.replace("hz=20", "hz=30"));
        assert_eq!(other.a, same.a);
        // At 30 packets a second nothing simulates.
        assert_eq!(other.b.unwrap().rows.len(), 16);
        assert!(ladders(&format!("{LINK}&strategy=lockstep")).b.is_none());
    }

    #[test]
    fn a_trace_and_a_recorded_motion_arrive() {
        let rows = (0..200).map(|ms| format!("{},{}\n", ms * 40, if ms < 100 { 20 } else { 90 }));
        let rows = format!("sent_ms,delay_ms\n{}", rows.collect::<String>());
        let trace = Trace::read(rows.as_bytes()).unwrap();
        let mut a = side("#hz=20");
        a.link_inputs.trace = Some(Arc::new(trace));
        let tape = crate::testing::tape_of(
            "0,0,0,0,0,0,0,0,1,\n60,0,3,0,0,0,0,0,1,\n120,0,3,2,0,0,0,0,1,\n",
        );
        let lanes = [a.clone(), a];
        let answered = arrived(&Question::Comparison, &lanes, [&tape, &tape]);
        let own = compare(
            [&tape, &tape],
            &lanes,
            TickSpan::stored(&tape),
            &mut |_, _| (),
        );
        assert!(own.by_offset && !own.rows.is_empty());
        assert_eq!(answered, Answer::Comparison(own));
    }

    #[test]
    fn bytes_that_are_no_subject_are_refused() {
        let tape = Tape::record(&settings(LINK), 10);
        let lanes = [side(LINK), side(LINK)];
        let bytes = Subject::to_bytes(&lanes, [&tape, &tape]);
        let mut cut = (0..bytes.len()).step_by(61).map(|length| &bytes[..length]);
        assert!(cut.all(|bytes| Subject::of_bytes(bytes).is_none()));
    }
}
