//! `cargo run --release -p snapshot-fuzz --bin soak -- 30 1`: minutes of virtual time, and the seed.

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|number| number.parse().ok());
    let minutes: f64 = numbers.next().unwrap_or(30.0);
    let seed = numbers.next().unwrap_or(1.0) as u32;
    println!("{:#?}", snapshot_fuzz::soak::soak(minutes, seed));
}
