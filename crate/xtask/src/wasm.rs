//! Build of `crate/web` as wasm that JavaScript can load.

use std::path::{Path, PathBuf};

use rustc_demangle::demangle;
use walrus::ir::{Instr, Unreachable};
use walrus::{FunctionKind, Module, passes};
use wasm_bindgen_cli_support::Bindgen;

use crate::setup;
use crate::shell::{Result, cargo, root, run};

#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Release,
    /// A build without link-time optimisation, which takes seconds after an edit.
    Dev,
}

/// Parts of the paths of rapier's functions for soft bodies, joints and meshes.
///
/// The world has none of these, and rapier has no feature that leaves them out. Each function takes a soft body, a joint or a
/// mesh, or runs only if there is one.
const UNUSED: [&str; 19] = [
    "soft_body::SoftBody>::",
    "collision_mesh::SoftCollisionMesh>::",
    "SoftBodySet>::split_cluster",
    "SoftConstraintsSet>::assemble_contacts",
    "SoftConstraintsSet>::solve_",
    "soft_constraint::soft_element_constraint::",
    "narrow_phase::soft_contacts::soft_contacts_",
    "narrow_phase::soft_contacts::soft_self_contacts::",
    "multibody::Multibody::",
    "solver::joint_constraint::",
    "trimesh::TriMesh",
    "polyline::Polyline",
    "SoftBodySet>::update_cluster_proxies",
    "SoftBodySet>::update_colliders",
    "soft_body_cluster::pseudo_inverse_inertia",
    "soft_attachment::SoftAttachmentConstraint::",
    "tearing::tearing_particle_split::",
    "multibody_joint::unit_multibody_joint::",
    "sweep_toi::composite::",
];
/// Exceptions to `UNUSED`: functions that run without soft bodies, joints and meshes, too.
const USED: [&str; 1] = ["::clear"];
/// Functions that run, but do nothing without soft bodies: they loop over an empty set, or return because it is empty.
const WITHOUT_WORK: [&str; 2] = [
    "SoftConstraintsSet>::assemble",
    "NarrowPhase>::update_soft_self_contacts",
];

/// Builds the wasm and its bindings: for the page in pkg/, for node in target/node/.
pub(crate) fn build(profile: Profile) -> Result {
    setup::wasm_target()?;
    let profile = match profile {
        Profile::Release => "wasm",
        Profile::Dev => "wasm-dev",
    };
    let arguments = "build --package snapshot-web --target wasm32-unknown-unknown --target-dir target --profile";
    run(cargo(arguments.split(' ').chain([profile]))
        // These would replace the flags of .cargo/config.toml, SIMD among them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    let wasm = root()
        .join("target/wasm32-unknown-unknown")
        .join(profile)
        .join("snapshot_web.wasm");
    let wasm = match profile {
        "wasm" => without_unused(&wasm)?,
        _ => wasm,
    };
    println!("Writing the bindings to pkg/ and target/node/.");
    let failed = |error: &dyn std::fmt::Display| format!("cannot write the bindings: {error:#}");
    let folder = |name| root().join(name);
    bindgen(&wasm)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder("pkg")))
        .map_err(|error| failed(&error))?;
    bindgen(&wasm)
        .nodejs_module(true)
        .and_then(|bindgen| bindgen.generate(folder("target/node")))
        .map_err(|error| failed(&error))
}

fn bindgen(wasm: &Path) -> Bindgen {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
}

/// Writes the module without the bodies of the `UNUSED` functions, which then trap if they run; returns its path.
fn without_unused(wasm: &Path) -> Result<PathBuf> {
    let mut module =
        Module::from_file(wasm).map_err(|error| format!("{}: {error:#}", wasm.display()))?;
    let parts = || UNUSED.iter().chain(&WITHOUT_WORK);
    let mut counts = vec![0; parts().count()];
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
        // Sets of none are cloned and dropped too.
        let is_used = name.starts_with("core::ptr::drop_in_place")
            || name.contains("Clone>::clone")
            || USED.iter().any(|end| name.ends_with(end));
        let body = match WITHOUT_WORK.iter().position(|end| name.ends_with(end)) {
            Some(place) if returns_nothing.contains(&local.ty()) => {
                counts[UNUSED.len() + place] += 1;
                Vec::new()
            }
            _ => {
                let Some(part) = UNUSED.iter().position(|part| name.contains(part)) else {
                    continue;
                };
                if is_used {
                    continue;
                }
                counts[part] += 1;
                vec![(Instr::Unreachable(Unreachable {}), Default::default())]
            }
        };
        let entry = local.entry_block();
        local.block_mut(entry).instrs = body;
    }
    let missing = parts().zip(&counts).find(|(_, count)| **count == 0);
    if let Some((part, _)) = missing {
        return Err(format!("rapier has no function {part:?} any more"));
    }
    passes::gc::run(&mut module);
    let folder = root().join("target/light");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let light = folder.join("snapshot_web.wasm");
    module
        .emit_wasm_file(&light)
        .map_err(|error| format!("{}: {error:#}", light.display()))?;
    Ok(light)
}
