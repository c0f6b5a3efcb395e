//! Properties of the spans of any packet: they tile it, add up to its size, and tell every changed cube.

use snapshot_codec::{BIT_65536THS, Cube, Format, Kind, Ledger, Span};

/// Panics unless the spans of a packet of `bytes` tile it, cost what the ledger says, and tell every changed cube.
pub(crate) fn check_spans(
    ledger: &Ledger,
    format: &Format,
    base: &[Cube],
    snapshot: &[Cube],
    bytes: usize,
) {
    let mut end_65536ths = 0;
    for span in ledger.spans() {
        assert_eq!(span.first_65536ths, end_65536ths, "{span:?}");
        end_65536ths += span.length_65536ths;
        let decisions = ledger.decisions(span);
        if format.rung().is_arithmetic() && span.kind != Kind::Padding {
            let cost_65536ths: i64 = decisions.iter().map(|d| d.cost_65536ths).sum();
            assert_eq!(span.length_65536ths, cost_65536ths, "{span:?}");
            assert!(cost_65536ths > 0, "{span:?}");
        } else {
            assert!(decisions.is_empty());
        }
        if !format.rung().is_arithmetic() {
            assert!(span.length_65536ths >= 0 && span.length_65536ths % BIT_65536THS == 0);
        }
    }
    assert_eq!(end_65536ths, bytes as i64 * 8 * BIT_65536THS);
    for kind in Kind::ALL {
        let spans = ledger.spans().iter().filter(|span| span.kind == kind);
        let spent: i64 = spans.map(|span| span.length_65536ths).sum();
        assert_eq!(spent, ledger.get_65536ths(kind), "{kind:?}");
    }
    let mut spans: Vec<&Span> = ledger.spans().iter().collect();
    // Stable: of each cube in the order of the packet.
    spans.sort_by_key(|span| span.cube);
    for (index, (base, cube)) in base.iter().zip(snapshot).enumerate() {
        let from = spans.partition_point(|span| span.cube < Some(index as u32));
        let to = spans.partition_point(|span| span.cube <= Some(index as u32));
        if base != cube {
            check_cube(&spans[from..to], format, base, cube);
        }
    }
}

fn check_cube(spans: &[&Span], format: &Format, base: &Cube, cube: &Cube) {
    let coded = format.rung().is_arithmetic();
    let said = |kind: Kind, name: &str| {
        let mut named = spans
            .iter()
            .filter(|span| span.kind == kind && span.rule.split(' ').next() == Some(name));
        let value = named.next().map(|span| span.value as i32);
        assert!(named.next().is_none(), "{name} twice");
        value
    };
    if cube.life != base.life {
        let life = said(Kind::Flags, "life");
        assert_eq!(life, Some(cube.life.code().into()));
    }
    let by_symbol = coded && cube.life == base.life;
    if by_symbol {
        let changed = [
            cube.interacting != base.interacting,
            cube.position != base.position,
            cube.orientation != base.orientation,
        ];
        let symbol = (0..3).map(|bit| i32::from(changed[bit]) << bit).sum();
        assert_eq!(said(Kind::Flags, "what"), Some(symbol));
        // Of the last quiet cube of a block it may be implied.
        assert_ne!(said(Kind::Index, "changed"), Some(0));
    } else if coded {
        assert_eq!(said(Kind::Index, "life"), Some(1));
    }
    let interacting = if by_symbol {
        Some(cube.interacting.into())
    } else {
        said(Kind::Interacting, "interacting")
    };
    if cube.life.is_empty() {
        assert_eq!(interacting, None);
        return;
    }
    assert_eq!(interacting, Some(cube.interacting.into()));
    let (position, orientation) = (Kind::Position, Kind::Orientation);
    let relative = |value: i32, base: i32, said: Option<i32>| {
        said == Some(value) || !coded && said == Some(value.wrapping_sub(base))
    };
    if cube.position != base.position {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let said = said(position, name);
            assert!(relative(cube.position[axis], base.position[axis], said));
        }
    }
    if cube.orientation != base.orientation {
        let floats = said(orientation, "w").is_some();
        let names = if floats {
            ["x", "y", "z", "w"]
        } else {
            ["largest", "a", "b", "c"]
        };
        for (part, name) in names.into_iter().enumerate() {
            let (value, base, said) = (
                cube.orientation[part],
                base.orientation[part],
                said(orientation, name),
            );
            // Relative orientations have the baseline's largest component.
            let implied = name == "largest" && !coded && said.is_none() && value == base;
            assert!(
                implied || relative(value, base, said),
                "{name} {said:?} {value}"
            );
        }
    }
}
