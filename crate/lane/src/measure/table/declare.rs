//! The macro that declares figures. A row is all that a new figure takes, beside the code that counts it:
//!
//! ```text
//! pub pops { "Pops", Count, Less, both All, "Cubes that jumped when they were updated" }
//!     both u64 = sync.pops;
//! ```
//!
//! - `pops` is the field of the values, its key in JSON, and the id of the figure.
//! - `"Pops"` is the name for people, `Count` the [`Unit`](super::Unit), `Less` says that smaller values are
//!   [`Better`](super::Better). The last text explains the figure.
//! - `both` says that the figure exists at a `tick` and of a `run`. `All` is the value's [`TimeWindow`](super::TimeWindow).
//! - The second line makes the field: its type, and its value of a lane.
//!
//! A figure may have other values over other windows at a tick and of a run:
//!
//! ```text
//! pub bits_per_changed_cube { "Bits a changed cube", Bits, Less, tick Second, run All, "Payload bits by changed cubes" }
//!     tick Option<f64> = metrics.recent.sums().bits_per_changed_cube();
//!     run Option<f64> = metrics.costs.bits_per_changed_cube();
//! ```
//!
//! A field with several numbers has a row for each. The row `.rms` of the field `divergence_mm` is the number
//! `divergence_mm.rms`, which is also its id. Another way to the number follows in brackets: `.p99(?.p99)` where the field is
//! an `Option`. A field that is no figure has no row: `{}`.
//!
//! A group of figures has one type for the values of a tick and one for those of a run. The group's head names both types,
//! their arguments, and their places in [`Live`](super::Live) and [`Report`](super::Report). `with` declares variables that
//! several fields use.
//!
//! A row without its field does not compile, and neither does a field without its value. A test names fields without a row.

/// Declares groups of figures: the types of their values, how they are made of a lane, and [`FIGURES`](super::FIGURES).
macro_rules! figures {
    ($({
        $(#[$live_doc:meta])*
        tick $Live:ident($($live_input:ident: $live_input_type:ty),*) at $live:ident => $at_live:expr;
        $(#[$report_doc:meta])*
        run $Report:ident($($report_input:ident: $report_input_type:ty),*) at $report:ident => $at_report:expr;
        with { $($with:tt)* }
        $(
            pub $field:ident { $(
                $(. $part:ident $(($($way:tt)+))?)?
                $name:literal, $unit:ident, $better:ident,
                $(both $both_over:ident,)? $(tick $tick_over:ident,)? $(run $run_over:ident,)?
                $help:literal $(;)?
            )* }
            $(both $both_type:ty = $both:expr;)?
            $(tick $(#[$tick_attribute:meta])* $tick_type:ty = $tick:expr;)?
            $(run $(#[$run_attribute:meta])* $run_type:ty = $run:expr;)?
        )*
    })*) => {
        $(
            values! {
                $(#[$live_doc])*
                #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
                $Live($($live_input: $live_input_type),*) { $($with)* }
                $($($field: $both_type = $both,)? $($(#[$tick_attribute])* $field: $tick_type = $tick,)?)*
            }
            values! {
                $(#[$report_doc])*
                $Report($($report_input: $report_input_type),*) { $($with)* }
                $($($field: $both_type = $both,)? $($(#[$run_attribute])* $field: $run_type = $run,)?)*
            }
        )*

        /// All figures: traffic, packets, errors, play, the network, then figures that only one strategy has.
        pub static FIGURES: &[Figure] = &[$($($(
            Figure {
                id: concat!(stringify!($field) $(, ".", stringify!($part))?),
                name: $name,
                unit: Unit::$unit,
                unit_text: Unit::$unit.text(),
                better: Better::$better,
                help: $help,
                tick: reading!(
                    $live: Live => $at_live, [$field $(. $part $(($($way)+))?)?] $(, $both_over)? $(, $tick_over)?
                ),
                run: reading!(
                    $report: Report => $at_report, [$field $(. $part $(($($way)+))?)?] $(, $both_over)? $(, $run_over)?
                ),
            },
        )*)*)*];
    };
}

/// Declares the type of a group's values at a tick or of a run, and how they are made.
macro_rules! values {
    (
        $(#[$attribute:meta])*
        $Values:ident($($input:ident: $input_type:ty),*) { $($with:tt)* }
        $($(#[$field_attribute:meta])* $field:ident: $type:ty = $value:expr,)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Serialize)]
        pub struct $Values {
            $($(#[$field_attribute])* pub $field: $type,)*
        }

        impl $Values {
            pub(crate) fn new($($input: $input_type),*) -> $Values {
                $($with)*
                $Values { $($field: $value,)* }
            }
        }
    };
}

/// Makes the [`Reading`](super::Reading) of a number. Without a window it is `None`: the figure does not exist there.
macro_rules! reading {
    ($all:ident: $All:ident => $at:expr, $number:tt) => { None };
    ($all:ident: $All:ident => $at:expr, [$($number:tt)+], $over:ident) => {
        Some(Reading {
            over: TimeWindow::$over,
            read: |$all: &$All| number!($at, $($number)+).number(),
        })
    };
}

/// Reads a field's number from the values at `at`.
macro_rules! number {
    ($at:expr, $field:ident) => { $at?.$field };
    ($at:expr, $field:ident . $part:ident) => { $at?.$field.$part };
    ($at:expr, $field:ident . $part:ident ($($way:tt)+)) => { $at?.$field $($way)+ };
}
