use super::*;
use snapshot_base::hash::Fnv;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

/// Returns a file of the repository.
fn document(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::fs::read_to_string(format!("{root}/{path}")).unwrap()
}

#[test]
fn every_step_can_be_opened_and_every_claim_measured() {
    let mut ids = BTreeSet::new();
    for step in steps() {
        assert!(ids.insert(step.id), "{} comes twice", step.id);
        let link = step.stop().read_link();
        let link = link.unwrap_or_else(|notices| panic!("{}: {notices:?}", step.id));
        let on_its_way = link.a.settings.scene() != snapshot_physics::scene::SceneKind::Drive;
        assert_eq!(link.at.is_some(), on_its_way, "{}", step.id);
        let mut claims = BTreeSet::new();
        for claim in step.claims {
            let name = format!("{} {}", step.id, claim.id);
            assert!(claims.insert(claim.id), "{name} comes twice");
            assert!(claim.least <= claim.most, "{name}");
            if let Some(times) = claim.times {
                let other = step.claim(times.other).unwrap();
                assert_eq!(claim.figure.unit(), other.figure.unit(), "{name}");
                assert!(times.least < times.most && other.id != claim.id, "{name}");
            }
            let settings = claim.settings(step);
            assert!(settings.is_ok(), "{name}: {settings:?}");
        }
        assert_eq!(step.trace.is_some(), step.stop().read_trace().is_some());
        match step.asks {
            QuestionKind::Choice { answers, right } => {
                assert!((2..=4).contains(&answers.len()), "{}", step.id);
                assert!(answers.contains(&right), "{}", step.id);
            }
            QuestionKind::Number {
                claim, least, most, ..
            } => {
                let claim = step.claim(claim).unwrap();
                assert!(claim.least >= least && claim.most <= most, "{}", step.id);
            }
        }
        if let Some(cut) = step.cut {
            // It comes after the instant at which the step is opened.
            assert!(
                link.at.is_some_and(|at| at <= cut.after_tick),
                "{}",
                step.id
            );
        }
        if let Some(b) = link.b.filter(|_| step.id != "feed-back") {
            // Or B would not be a copy of what is seen on the left.
            assert_eq!(b.settings.world(), link.a.settings.world(), "{}", step.id);
        }
    }
    assert_eq!(ids.len(), 79);
    assert_eq!(steps().filter(|step| step.core).count(), 24);
}

/// Measures the tour on all cores. Each takes the next chapter, whose steps share motions.
fn measure_the_tour() -> Vec<ClaimFigure> {
    // From the end: the last chapters take longest.
    let chapters = Mutex::new(CHAPTERS.iter().rev());
    let measure = || {
        let mut measuring = ClaimMeasurement::default();
        loop {
            let Some(chapter) = chapters.lock().unwrap().next() else {
                break measuring.done().to_vec();
            };
            measuring.ask(chapter.steps);
            while measuring.work() {}
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let running: Vec<_> = (0..cores).map(|_| scope.spawn(measure)).collect();
        let measured = running.into_iter().map(|core| core.join().unwrap());
        measured.flatten().collect()
    })
}

/// The claims told in `www/tour/` are measured here: a change of physics or codec that spoils a lesson fails.
#[test]
#[ignore = "takes a minute: `cargo xtask test apart`"]
fn every_claim_of_the_tour_holds() {
    let measured = measure_the_tour();
    let value = |step: &Step, claim: &str| {
        let is = |of: &&ClaimFigure| (of.step, of.claim) == (step.id, claim);
        let found = measured.iter().find(is);
        found.unwrap_or_else(|| panic!("{} {claim}", step.id)).value
    };
    let all = steps().flat_map(|step| step.claims.iter().map(move |claim| (step, claim)));
    let broken = all.filter_map(|(step, claim)| {
        let other = claim.times.map(|times| value(step, times.other));
        let measured = value(step, claim.id);
        let description = format!("{} {measured}, compared with {other:?}: {claim:?}", step.id);
        (!claim.holds(measured, other)).then_some(description)
    });
    let broken: Vec<_> = broken.collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
    what_is_written_is_what_is_measured(&measured);
    let mut others = Vec::new();
    for row in chance::rows() {
        let step = step(row.step).unwrap();
        let value = match value(step, row.claim) {
            0.0 => 0.0,
            of => of / row.over.map_or(1.0, |over| value(step, over)),
        };
        if (value - row.spread.own).abs() >= 0.001 {
            others.push(format!("{} {}: {value}, {row:?}", row.step, row.claim));
        }
    }
    assert!(others.is_empty(), "\n{}", others.join("\n"));
}

/// A figure that a step marks shows the step's answer: at the end of play it is within the claim's bounds.
#[test]
fn a_marked_ladder_is_of_the_ticks_of_the_claim() {
    for step in steps().filter(|step| step.link.contains("show=ladder")) {
        let at = step.stop().read_link().unwrap().at.unwrap();
        let shown = at + 60 * u64::from(step.play_s);
        assert_eq!(shown, 60 * u64::from(step.run_s), "{}", step.id);
        assert!(
            step.claims
                .iter()
                .any(|claim| claim.figure == Quantity::FirstRungBelowGoal)
        );
    }
}

/// A marked figure can show the answer: the figure is on show, has the claims' kind, and the step has played the claims' ticks.
#[test]
fn a_marked_figure_shows_the_claims() {
    use Quantity::*;
    let mut marked = 0;
    for step in steps().filter(|step| step.points_at.contains(&"figure")) {
        let link = step.stop().read_link().unwrap();
        let (show, at) = (link.show.unwrap(), link.at.unwrap_or(0));
        let last = at + 60 * u64::from(step.play_s);
        let of_link = step.claims.iter().filter(|claim| claim.with.is_empty());
        let shows = |quantity: Quantity| match quantity {
            At(figure, tick) if figure.id == "kbps" => {
                show != "errors" && (at..=last).contains(&tick)
            }
            At(figure, tick) if figure.id.starts_with("position_error") => {
                ["errors", "compare"].contains(&&*show) && (at..=last).contains(&tick)
            }
            FarthestAt(tick)
            | RestingFarthestAt(tick)
            | CubesOffAt { tick, .. }
            | RestingOffAt { tick, .. } => {
                ["errors", "compare"].contains(&&*show) && (at..=last).contains(&tick)
            }
            Run(figure) if figure.id.starts_with("ledger") => {
                ["bits", "compare", "packets"].contains(&&*show)
            }
            BitsPerCube(_) | PercentOfBits(_) => ["bits", "compare", "packets"].contains(&&*show),
            BitsPerChangedCube(_) => ["bits", "widths"].contains(&&*show),
            FirstRungBelowGoal => show == "ladder",
            // Means of the run: the header has the run's mean beside any figure.
            _ => true,
        };
        for claim in of_link {
            assert!(shows(claim.figure), "{} {}: {show}", step.id, claim.id);
            marked += 1;
        }
    }
    assert!(marked > 30, "{marked} claims stand beside a marked figure");
}

/// Holds the page of the articles' numbers to the claims: a row that names a claim begins the measured column with the
/// claim's figure.
fn what_is_written_is_what_is_measured(measured: &[ClaimFigure]) {
    let document = document("docs/article-numbers.md");
    let named = document.lines().filter_map(|line| {
        let (row, place) = line.split_once("](./#step=")?;
        let (step, claim) = place.split_once(") `")?;
        Some((row, step, claim.split('`').next()?))
    });
    let mut rows = 0;
    for (row, step, claim) in named {
        let figure = row.split(" | ").nth(2).unwrap();
        let figure: String = figure.chars().filter(|char| *char != ',').collect();
        let figure = figure.split_whitespace().next().unwrap();
        let written: f64 = figure.parse().unwrap_or_else(|_| panic!("{row}"));
        let is = |of: &&ClaimFigure| (of.step, of.claim) == (step, claim);
        let value = measured.iter().find(is).map(|of| of.value);
        let value = value.unwrap_or_else(|| panic!("{step} has no claim {claim}"));
        let decimals = figure.split_once('.').map_or(0, |(_, digits)| digits.len());
        let grain = (0..decimals).fold(0.51_f64, |grain, _| grain / 10.0);
        assert!(
            (value - written).abs() <= grain.max(0.01 * value.abs()),
            "{step} {claim}: {value}, and {written} is written"
        );
        rows += 1;
    }
    assert!(rows > 35, "{rows} rows name a claim");
}

/// The results in `teacher.html` are the measured figures, to the last digit.
#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn the_results_of_the_exercises_are_measured() {
    let mut measuring = ClaimMeasurement::default();
    measuring.ask(&EXERCISES);
    while measuring.work() {}
    let html = document("www/pages/teacher.html");
    let mut results = 0;
    for part in html.split("<data value=\"").skip(1) {
        let mut parts = part.split('"');
        let (written, of) = (parts.next().unwrap(), parts.nth(1).unwrap());
        let (step, claim) = of.split_once(' ').unwrap();
        let step = EXERCISES.iter().find(|other| other.id == step).unwrap();
        let claim = step.claim(claim).unwrap();
        let value = measuring.measured(step, claim.id).unwrap();
        assert!(measuring.holds(step, claim), "{of}: {value}");
        let decimals = written
            .split_once('.')
            .map_or(0, |(_, digits)| digits.len());
        let grain = (0..decimals).fold(0.51_f64, |grain, _| grain / 10.0);
        let written: f64 = written.parse().unwrap();
        assert!((value - written).abs() <= grain, "{of}: {value}");
        results += 1;
    }
    let claims: usize = EXERCISES.iter().map(|step| step.claims.len()).sum();
    assert_eq!(results, claims);
    let lost = [66, 17].map(|pieces| 100.0 * (1.0 - (0..pieces).fold(1.0, |all, _| all * 0.99)));
    assert!(
        html.contains(&format!("{:.0} % and {:.0} %.", lost[0], lost[1])),
        "{lost:?}"
    );
}

/// Each lecture's table has the steps that follow one another on a projector.
#[test]
fn the_lectures_have_their_steps_in_order() {
    let html = document("www/pages/lecture.html");
    let tables = html.split("<tbody>").skip(1);
    let tables = tables.map(|table| table.split("</tbody>").next().unwrap());
    for ((minutes, count), table) in [(45, 10), (90, 19)].into_iter().zip(tables) {
        let listed: Vec<&str> = table
            .split("#step=")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let shown = steps().filter(|step| step.lectures.contains(&minutes));
        let shown: Vec<&str> = shown.map(|step| step.id).collect();
        assert_eq!(listed, shown, "{minutes} minutes");
        assert_eq!(listed.len(), count, "{minutes} minutes");
    }
}

#[test]
fn a_step_that_is_gone_opens_the_one_that_has_its_subject() {
    for (gone, now) in GONE {
        assert!(step(gone).is_none(), "{gone} is there");
        assert_eq!(stop(gone).map(|stop| stop.id), Some(now));
    }
    assert!(stop("no-such-step").is_none());
}

/// Reasons of "why?" are ordered by this seed: the place of the right one is drawn for each step.
const WHY_SEED: &str = "5";

fn place_of_the_right_reason(step: &str) -> usize {
    let mut hash = Fnv::new();
    hash.add_bytes(format!("{WHY_SEED} {step}").as_bytes());
    (hash.finish() >> 32) as usize % 6 / 2
}

/// A guess by length or by place is right no more often than by chance.
#[test]
fn no_why_is_answered_blind() {
    let (mut longest, mut places, mut asked) = (0, [0; 3], 0);
    for chapter in &CHAPTERS {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/tour/");
        let html = std::fs::read_to_string(format!("{file}{}.html", chapter.id)).unwrap();
        for (step, html) in chapter.steps.iter().zip(html.split("<section").skip(1)) {
            let why = html.split_once("class=\"why\"").unwrap().1;
            let reasons: Vec<(bool, usize)> = why
                .split("</div>")
                .next()
                .unwrap()
                .split("<button")
                .skip(1)
                .map(|button| {
                    let words = button.split(['>', '<']).nth(1).unwrap();
                    (button.starts_with(" data-right"), words.chars().count())
                })
                .collect();
            let place = reasons.iter().position(|(right, _)| *right).unwrap();
            assert_eq!(place, place_of_the_right_reason(step.id), "{}", step.id);
            let lengths = || reasons.iter().map(|(_, length)| *length);
            let (least, most) = (lengths().min().unwrap(), lengths().max().unwrap());
            assert!(10 * least >= 7 * most, "{}: {reasons:?}", step.id);
            let others = (0..3).filter(|other| *other != place);
            longest +=
                u32::from(others.map(|other| reasons[other].1).max() < Some(reasons[place].1));
            places[place] += 1;
            asked += 1;
        }
    }
    let is_by_chance = |right: u32| (25 * asked..=42 * asked).contains(&(100 * right));
    assert!(
        is_by_chance(longest),
        "the longest is right in {longest} of {asked}"
    );
    assert!(
        places.into_iter().all(is_by_chance),
        "{places:?} of {asked}"
    );
}

/// The step on a ping tells the least, the average and the greatest round trip of the file in words.
#[test]
fn the_words_on_the_ping_are_those_of_its_file() {
    let ping = step("your-ping").unwrap().trace.unwrap();
    let times = ping.lines().filter_map(|line| line.split_once("time="));
    let times = times.filter_map(|(_, time)| time.split(' ').next()?.parse::<f64>().ok());
    let times: Vec<f64> = times.collect();
    let [least, most] = [f64::min, f64::max].map(|of| times.iter().copied().reduce(of).unwrap());
    let average = times.iter().sum::<f64>() / times.len() as f64;
    let html = document("www/tour/links.html");
    for words in [
        format!("{least:.0} ms at least, {average:.0} on average, {most:.0} at most"),
        format!("half the average, {:.0} ms", average / 2.0),
        format!("the whole spread of {:.0} ms", most - least),
    ] {
        assert!(html.contains(&words), "{words}");
    }
}

/// The values of `attribute="..."` in a piece of the page, in order.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    let parts = html.split(begin.as_str()).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn the_words_are_of_these_steps_claims_and_answers() {
    for chapter in &CHAPTERS {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/tour/");
        let html = std::fs::read_to_string(format!("{file}{}.html", chapter.id)).unwrap();
        let sections: Vec<&str> = html.split("<section").skip(1).collect();
        let ids: Vec<&str> = chapter.steps.iter().map(|step| step.id).collect();
        assert_eq!(values(&html, "data-step"), ids);
        for (step, html) in chapter.steps.iter().zip(sections) {
            let id = step.id;
            assert!(html.contains("<p>"), "{id} has no words");
            let answers = values(html, "value");
            match step.asks {
                QuestionKind::Choice { answers: asked, .. } => assert_eq!(answers, asked, "{id}"),
                QuestionKind::Number { .. } => assert!(answers.is_empty(), "{id}"),
            }
            for name in values(html, "claim")
                .into_iter()
                .chain(values(html, "over"))
            {
                assert!(step.claim(name).is_some(), "{id} has no claim {name}");
            }
            let why = html.split_once("class=\"why\"").map(|(_, why)| why);
            let why = why.and_then(|why| why.split("</div>").next());
            let why = why.unwrap_or_else(|| panic!("{id} asks no why"));
            assert_eq!(why.matches("<button data-right>").count(), 1, "{id}");
            assert_eq!(why.matches("<button").count(), 3, "{id}");
            assert_eq!(html.contains("class=\"act\""), step.act.is_some(), "{id}");
        }
    }
}
