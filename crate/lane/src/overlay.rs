//! Overlays: a figure of every cube that colours a view. Each has a fixed scale, so that two views can be compared.

use snapshot_settings::Strategy;

/// A value of every cube that can colour a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Distance of a shown cube from its true position at the shown instant, mm.
    Error,
    /// Greatest distance of a shown cube's corner from the true place of that corner, mm.
    Surface,
    /// Angle between a shown cube and its true orientation at the shown instant, degrees.
    Turn,
    /// Number of bits for a cube in the newest sent packet.
    Bits,
    /// Age of the receiver's newest state of a cube, ms.
    Age,
    /// Accumulated priority of a cube for the next packet, as the sender counts it: state synchronisation, and a game with a
    /// budget.
    Priority,
}

/// Facts about an overlay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlayRow {
    pub name: &'static str,
    /// Name of the overlay for people.
    pub label: &'static str,
    /// Unit of the values; empty for a plain count.
    pub unit: &'static str,
    /// Ends of the logarithmic colour scale: values up to the first are neutral, values above the second have the last colour.
    pub scale: (f32, f32),
}

impl Overlay {
    /// All overlays, in display order.
    pub const ALL: [Overlay; 6] = [
        Overlay::Error,
        Overlay::Surface,
        Overlay::Turn,
        Overlay::Bits,
        Overlay::Age,
        Overlay::Priority,
    ];

    /// Returns the overlay with this name in links; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Overlay> {
        let mut all = Overlay::ALL.into_iter();
        all.find(|overlay| overlay.name() == name)
    }

    /// Name of the overlay in the page's code and in links.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the facts about the overlay. A scale ends at half a small cube for errors, 45 degrees for orientations, a
    /// cube's whole state for bits, two seconds for age. For priority it ends at the priority of an interacting cube that
    /// has waited for two seconds.
    pub fn row(self) -> OverlayRow {
        let (name, label, unit, scale) = match self {
            Overlay::Error => ("error", "error", "mm", (2.0, 200.0)),
            Overlay::Surface => ("surface", "surface error", "mm", (2.0, 200.0)),
            Overlay::Turn => ("turn", "error of the orientation", "°", (0.5, 45.0)),
            Overlay::Bits => ("bits", "bits spent", "bits", (1.0, 256.0)),
            Overlay::Age => ("age", "age of what is known", "ms", (17.0, 2000.0)),
            Overlay::Priority => ("priority", "priority", "", (1.0, 12_000.0)),
        };
        OverlayRow {
            name,
            label,
            unit,
            scale,
        }
    }

    pub fn is_of(self, strategy: Strategy) -> bool {
        match self {
            Overlay::Error | Overlay::Surface | Overlay::Turn | Overlay::Age => true,
            Overlay::Bits => strategy.row().sends_cubes,
            Overlay::Priority => strategy.row().has_priorities,
        }
    }
}
