//! `snapshot-lab tell`: files of blind tests, pooled.

use super::{called, file, json, refused};

const HEAD: &str = "test,level,x,answer,time_ms,drops,width_px,height_px,refresh_hz,software,link";

/// Twenty answers at 12 packets a second: right, but for each fifth one, and one with a late frame.
fn answers() -> String {
    let rows = (0..20).map(|number| {
        let answer = if number % 5 == 0 { "b" } else { "a" };
        let drops = u8::from(number == 0);
        format!("\nrate,12,a,{answer},4000,{drops},1280,720,60,0,v=2&hz=10")
    });
    HEAD.to_owned() + &rows.collect::<String>()
}

#[test]
fn files_of_answers_become_one_curve_and_a_damaged_one_is_named() {
    let (one, other) = (file("one.csv", answers()), file("other.csv", answers()));
    let [one, other] = [&one, &other].map(|path| path.to_str().unwrap());
    let pooled = json(&["tell", one, other, "--json"]);
    let test = &pooled["tests"][0];
    assert_eq!(
        (&test["test"], &test["files"], &test["left_out"]),
        (&"rate".into(), &2.into(), &2.into())
    );
    let level = &test["levels"][0];
    assert_eq!(
        (&level["trials"], &level["right"]),
        (&38.into(), &32.into())
    );

    let damaged = file("damaged.csv", answers() + "\nrate,12,a,c,4000,0,1,1,60,0,x");
    let called = called(&["tell", one, damaged.to_str().unwrap()]);
    assert_eq!(called.code, Some(1), "{called:?}");
    let refusal = "damaged.csv: line 22: answer is \"c\"";
    assert!(called.notes.contains(refusal), "{called:?}");
    assert!(called.output.contains("After 19 answers"), "{called:?}");
    let none = refused(&["tell", damaged.to_str().unwrap()]);
    assert!(none.contains("none of the files can be read"), "{none}");
}
