//! Tables for people: names to the left, numbers to the right.

use comfy_table::{CellAlignment, Row, Table, presets};

/// Formats a table with these columns; the first `names` columns are text.
pub(crate) fn table(
    headings: impl Into<Row>,
    names: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(headings)
        .add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Formats a number with the given decimals; a dash for `None`.
pub(crate) fn number(value: impl Into<Option<f64>>, decimals: usize) -> String {
    value
        .into()
        .map_or("-".to_string(), |value| format!("{value:.decimals$}"))
}
