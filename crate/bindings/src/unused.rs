//! Removal of code that the page never runs, after linking.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_demangle::demangle;
use walrus::ir::{Instr, Unreachable};
use walrus::{FunctionKind, Module, passes};

use crate::Result;

/// Functions of rapier and parry that never run here: the reason, and parts of the functions' paths.
///
/// Neither crate has a feature that leaves these functions out.
const UNUSED: [(&str, &[&str]); 5] = [
    (
        "the world has no soft bodies",
        &[
            "soft_body::SoftBody>::",
            "collision_mesh::SoftCollisionMesh",
            "SoftBodySet>::split_cluster",
            "SoftConstraintsSet>::assemble_contacts",
            "SoftConstraintsSet>::solve_",
            "soft_constraint::soft_element_constraint::",
            "narrow_phase::soft_contacts::soft_contacts_",
            "narrow_phase::soft_contacts::soft_self_contacts::",
            "SoftBodySet>::update_cluster_proxies",
            "SoftBodySet>::update_colliders",
            "soft_body::soft_body_cluster::",
            "soft_body::soft_body_coloring::",
            "soft_body::soft_body_shape_matching::",
            "soft_attachment::SoftAttachmentConstraint::",
            "tearing::tearing_particle_split::",
        ],
    ),
    (
        "the world has no joints",
        &[
            "multibody::Multibody::",
            "solver::joint_constraint::",
            "multibody_joint::unit_multibody_joint::",
            "contact_constraint::generic_contact_constraint",
        ],
    ),
    (
        "the shapes are cubes and a half-space, one manifold a pair",
        &[
            "trimesh::TriMesh",
            "polyline::Polyline",
            "shape::triangle::Triangle",
            "shape::segment::Segment",
            "geometry::contact_clustering::",
        ],
    ),
    (
        "nobody casts rays or asks for points, and a half-space cannot be swept against: parry has no proxy of it",
        &[
            "parry3d::query::ray::",
            "parry3d::query::point::",
            "parry3d::query::gjk::",
            "parry3d::query::clip::clip_aabb_line::",
            "sweep_toi::composite::",
            "sweep_toi::proxy_distance::",
            "sweep_toi::separation::",
            "sweep_toi::sweep_toi::",
            "::compute_bounding_sphere",
            "::compute_swept_aabb",
            "::feature_normal_at_point",
        ],
    ),
    (
        "friction is rapier's simplified one, and nothing bounces",
        &[
            "contact_constraint::contact_with_coulomb_friction::",
            "::apply_restitution",
        ],
    ),
];
/// Ends of paths that are excepted from `UNUSED`, because these functions also run here.
const USED: [&str; 1] = ["::clear"];
/// Number of instructions below which a function's body stays. The compiler merges equal short functions under one name, so
/// another function may use the body.
const SHORT: u64 = 30;
/// Functions that run, but do nothing without soft bodies, because they find an empty set.
const WITHOUT_WORK: [&str; 2] = [
    "SoftConstraintsSet>::assemble",
    "NarrowPhase>::update_soft_self_contacts",
];

/// Writes the module into a folder without the bodies of the `UNUSED` functions, which then trap if they run; returns its path.
pub(crate) fn without_unused(wasm: &Path, folder: &Path) -> Result<PathBuf> {
    let mut module =
        Module::from_file(wasm).map_err(|error| format!("{}: {error:#}", wasm.display()))?;
    let unused: Vec<&str> = UNUSED
        .iter()
        .flat_map(|(_, parts)| *parts)
        .copied()
        .collect();
    let mut missing: BTreeSet<&str> = unused.iter().chain(&WITHOUT_WORK).copied().collect();
    let returns_nothing: Vec<_> = module
        .types
        .iter()
        .filter(|it| it.results().is_empty())
        .map(|it| it.id())
        .collect();
    for function in module.funcs.iter_mut() {
        let FunctionKind::Local(local) = &mut function.kind else {
            continue;
        };
        let name = format!("{:#}", demangle(function.name.as_deref().unwrap_or("")));
        let is_empty = |end: &&&str| name.ends_with(**end) && returns_nothing.contains(&local.ty());
        let body = if let Some(end) = WITHOUT_WORK.iter().find(is_empty) {
            missing.remove(end);
            Vec::new()
        } else if let Some(part) = unused.iter().find(|part| name.contains(**part)) {
            missing.remove(part);
            // Lists of none are dropped too.
            let is_used = name.starts_with("core::ptr::drop_in_place")
                || USED.iter().any(|end| name.ends_with(end));
            if is_used || local.size() < SHORT {
                continue;
            }
            vec![(Instr::Unreachable(Unreachable {}), Default::default())]
        } else {
            continue;
        };
        let entry = local.entry_block();
        local.block_mut(entry).instrs = body;
    }
    if let Some(part) = missing.first() {
        return Err(format!("rapier has no function {part:?} any more"));
    }
    passes::gc::run(&mut module);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let light = folder.join(wasm.file_name().unwrap_or_default());
    module
        .emit_wasm_file(&light)
        .map_err(|error| format!("{}: {error:#}", light.display()))?;
    Ok(light)
}
