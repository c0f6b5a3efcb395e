//! The graph of modules: a level for every folder, with the edges between siblings there.

use std::collections::{BTreeMap, BTreeSet};

use super::references::{Reference, references};
use super::source::Crate;

/// The graph of a crate's modules.
pub(super) struct Graph {
    parsed: Crate,
    /// By the parent of the siblings.
    levels: BTreeMap<usize, Level>,
}

/// The children of one module, and what they use of each other.
#[derive(Default)]
struct Level {
    modules: Vec<usize>,
    /// User and used. A module takes part in an edge with all that is below it.
    edges: BTreeMap<(usize, usize), Edge>,
    /// Children that use items of the parent's own file.
    up: BTreeSet<usize>,
    /// Children of which the parent's own file uses items.
    down: BTreeSet<usize>,
}

struct Edge {
    count: usize,
    first: Reference,
}

/// The sizes of a graph.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) modules: usize,
    /// Edges between siblings, on all levels.
    pub(super) edges: usize,
    pub(super) circles: usize,
    /// Modules that stand in a circle.
    pub(super) in_circles: usize,
    /// The same if a parent's own file counted as a sibling of its children.
    pub(super) in_circles_with_parents: usize,
}

impl Graph {
    /// Resolves all references of a crate.
    pub(super) fn new(parsed: Crate) -> Self {
        let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
        for (number, module) in parsed.modules.iter().enumerate() {
            if let Some(parent) = module.parent {
                levels.entry(parent).or_default().modules.push(number);
            }
        }
        for reference in references(&parsed) {
            let (from, to) = (parsed.lineage(reference.from), parsed.lineage(reference.to));
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let parent = common.checked_sub(1).map_or(0, |last| from[last]);
            let level = levels.entry(parent).or_default();
            match (from.get(common), to.get(common)) {
                (Some(&from), Some(&to)) => {
                    let edge = level.edges.entry((from, to)).or_insert(Edge {
                        count: 0,
                        first: reference,
                    });
                    edge.count += 1;
                }
                (Some(&child), None) => drop(level.up.insert(child)),
                (None, Some(&child)) => drop(level.down.insert(child)),
                (None, None) => {}
            }
        }
        Self { parsed, levels }
    }

    /// Counts modules, edges and circles.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts {
            modules: self.parsed.modules.len() - 1,
            ..Counts::default()
        };
        for (&parent, level) in &self.levels {
            let circles = level.circles(None);
            counts.edges += level.edges.len();
            counts.circles += circles.len();
            counts.in_circles += circles.iter().map(BTreeSet::len).sum::<usize>();
            let strict = level.circles(Some(parent));
            counts.in_circles_with_parents += strict.iter().map(BTreeSet::len).sum::<usize>();
        }
        counts
    }

    /// Describes each circle: its modules, and the edges between them with the place of one use.
    pub(super) fn circles(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (&parent, level) in &self.levels {
            for circle in level.circles(None) {
                let names: Vec<_> = circle.iter().map(|&module| self.name(module)).collect();
                lines.push(format!(
                    "{}: a circle of {}: {}",
                    self.parsed.path(parent),
                    circle.len(),
                    names.join(", ")
                ));
                for (&(from, to), edge) in &level.edges {
                    if circle.contains(&from) && circle.contains(&to) {
                        lines.push(self.edge(from, to, edge));
                    }
                }
            }
        }
        lines
    }

    /// Describes every level: each module with the siblings that it uses.
    pub(super) fn levels(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (&parent, level) in &self.levels {
            if level.modules.len() < 2 {
                continue;
            }
            lines.push(format!(
                "  {}: {} modules, {} edges",
                self.parsed.path(parent),
                level.modules.len(),
                level.edges.len()
            ));
            for &module in &level.modules {
                let used = level.edges.keys().filter(|(from, _)| *from == module);
                let used: Vec<_> = used.map(|&(_, to)| self.name(to)).collect();
                if !used.is_empty() {
                    lines.push(format!("    {} -> {}", self.name(module), used.join(", ")));
                }
            }
        }
        lines
    }

    fn edge(&self, from: usize, to: usize, edge: &Edge) -> String {
        let Reference { line, path, .. } = &edge.first;
        let place = self.parsed.modules[edge.first.from].file.display();
        let more = match edge.count {
            1 => String::new(),
            count => format!(", {} more", count - 1),
        };
        format!(
            "  {} -> {}   {place}:{line}: {path}{more}",
            self.name(from),
            self.name(to)
        )
    }

    fn name(&self, module: usize) -> &str {
        &self.parsed.modules[module].name
    }
}

impl Level {
    /// Finds the modules that reach each other, in sets of at least two. `parent` is given if its own file counts.
    fn circles(&self, parent: Option<usize>) -> Vec<BTreeSet<usize>> {
        let mut next: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &(from, to) in self.edges.keys() {
            next.entry(from).or_default().insert(to);
        }
        if let Some(parent) = parent {
            for &child in &self.up {
                next.entry(child).or_default().insert(parent);
            }
            next.insert(parent, self.down.clone());
        }
        let reached: BTreeMap<_, _> = next
            .keys()
            .map(|&from| (from, reach(from, &next)))
            .collect();
        let mut circles: Vec<BTreeSet<usize>> = Vec::new();
        for (&from, ahead) in &reached {
            if circles.iter().any(|circle| circle.contains(&from)) {
                continue;
            }
            let back = |to: &&usize| reached.get(to).is_some_and(|ahead| ahead.contains(&from));
            let circle: BTreeSet<_> = ahead.iter().filter(back).copied().collect();
            if circle.len() > 1 {
                circles.push(circle);
            }
        }
        circles
    }
}

/// Collects what can be reached by one edge or more.
fn reach(from: usize, next: &BTreeMap<usize, BTreeSet<usize>>) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for &to in next.get(&at).into_iter().flatten() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}
