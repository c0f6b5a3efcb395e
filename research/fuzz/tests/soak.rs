//! Two minutes of the soak.

use snapshot_fuzz::soak::soak;

#[test]
fn eight_clients_get_through_faults_and_hostile_datagrams() {
    let soaked = soak(2.0, 3);
    println!("{soaked:#?}");
    assert!(soaked.compared > 10_000 && soaked.hostile > 10_000);
    assert!(soaked.inputs[0] > 30_000 && soaked.missing_when_calm * 1000 < soaked.inputs[0]);
    assert!(soaked.messages.iter().all(|&count| count > 1000));
    assert!(soaked.faults.len() > 4 && soaked.held_bytes < 64 << 20);
}
