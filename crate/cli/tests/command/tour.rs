//! `snapshot-lab tour` as a script sees it.

use crate::{json, refused};

#[test]
#[ignore = "takes long: `cargo xtask test apart` runs it"]
fn a_step_s_claims_are_told_with_what_was_measured() {
    let rows = json(&["tour", "--step", "another-order", "--json"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for key in ["chapter", "step", "claim", "measured", "article", "holds"] {
        assert!(rows[0].get(key).is_some(), "{key}");
    }
    assert_eq!(rows[0]["chapter"], "lockstep");
    assert_eq!(rows[0]["claim"], "checksum");
    assert_eq!(rows[0]["holds"], true);
}

#[test]
fn a_step_that_is_not_there_is_told() {
    assert!(refused(&["tour", "--step", "nowhere"]).contains("two-copies"));
}
