//! The manifest and the container's file: by their schema, and beside the process. Nothing runs them here.

use super::schema::complaints;
use crate::life::HEALTH_S;
use crate::options::Options;
use saphyr::{LoadableYamlNode, Yaml};

const MANIFEST: &str = include_str!("../fleet.yaml");
const SCHEMA: &str = include_str!("schema.yaml");
const DOCKERFILE: &str = include_str!("../Dockerfile");
const CARGO: &str = include_str!("../../../Cargo.toml");

/// Complaints about each document of a manifest, by the schema of its kind.
fn check(manifest: &str) -> Vec<String> {
    let schemas = Yaml::load_from_str(SCHEMA).unwrap();
    let documents = Yaml::load_from_str(manifest).unwrap();
    let of_document = |document: &Yaml| {
        let kind = document.as_mapping_get("kind").and_then(Yaml::as_str);
        let kind = kind.unwrap_or("a document without kind");
        match schemas[0].as_mapping_get(kind) {
            Some(schema) => complaints(schema, document, kind),
            None => vec![format!("{kind} has no schema")],
        }
    };
    documents.iter().flat_map(of_document).collect()
}

/// The value at a path of names and indices.
fn at<'a>(value: &'a Yaml<'a>, path: &str) -> &'a Yaml<'a> {
    let step = |value: &'a Yaml<'a>, name: &str| match name.parse() {
        Ok(index) => value.as_sequence_get(index),
        Err(_) => value.as_mapping_get(name),
    };
    let found = path.split('.').try_fold(value, step);
    found.unwrap_or_else(|| panic!("no {path}"))
}

fn words(value: &Yaml) -> Vec<String> {
    let words = value.as_sequence().unwrap().iter();
    words
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

/// The list behind an instruction of the Dockerfile, as the arguments of a process.
fn instruction(name: &str) -> Vec<String> {
    let line = DOCKERFILE.lines().find_map(|line| line.strip_prefix(name));
    words(&Yaml::load_from_str(line.unwrap()).unwrap()[0])
}

#[test]
fn the_manifest_meets_the_schemas() {
    assert_eq!(check(MANIFEST), [""; 0]);
    assert_eq!(Yaml::load_from_str(MANIFEST).unwrap().len(), 2);
}

#[test]
fn a_wrong_manifest_is_refused() {
    let container = "Fleet.spec.template.spec.template.spec.containers";
    for (from, to, complaint) in [
        (
            "agones.dev/v1\nkind: Fleet\n",
            "agones.dev/v2\nkind: Fleet\n",
            "Fleet.apiVersion is none of its values",
        ),
        (
            "kind: FleetAutoscaler",
            "kind: Scaler",
            "Scaler has no schema",
        ),
        (
            "  replicas: 2",
            "  replicas: two",
            "Fleet.spec.replicas is no integer",
        ),
        (
            "  replicas: 2",
            "  replica: 2",
            "Fleet.spec.replica is not known",
        ),
        (
            "containerPort: 7777",
            "containerPort: 65536",
            "Fleet.spec.template.spec.ports[0].containerPort is too large",
        ),
        (
            "              image: shooter-fleet:0.1.0\n",
            "",
            &format!("{container}[0].image is missing"),
        ),
        (
            "- name: shooter",
            "- name: Shooter",
            &format!("{container}[0].name is no label"),
        ),
    ] {
        assert!(MANIFEST.contains(from), "{from}");
        let wrong = MANIFEST.replacen(from, to, 1);
        assert_eq!(check(&wrong), [complaint], "{from} -> {to}");
    }
    let (before, after) = MANIFEST.split_once("          containers:\n").unwrap();
    let (_, after) = after.split_once("---").unwrap();
    let none = format!("{before}          containers: []\n---{after}");
    assert_eq!(check(&none), [format!("{container} has too few items")]);
}

#[test]
fn the_files_agree_with_the_process() {
    let documents = Yaml::load_from_str(MANIFEST).unwrap();
    let [fleet, scaler] = &documents[..] else {
        panic!("two documents");
    };
    let server = at(fleet, "spec.template.spec");
    let container = at(server, "template.spec.containers.0");
    let options = Options::read(words(at(container, "args")), None).unwrap();
    assert_eq!(options, Options::read(instruction("CMD "), None).unwrap());
    let port = options.port;
    assert_eq!(
        at(server, "ports.0.containerPort").as_integer(),
        Some(port.into())
    );
    assert!(DOCKERFILE.contains(&format!("\nEXPOSE {port}/udp\n")));
    // The example that Cargo builds is what the container starts.
    let example = CARGO
        .split("[[example]]")
        .find(|part| part.contains("examples/fleet/main.rs"));
    assert!(example.unwrap().contains("name = \"fleet\""));
    let [program] = &instruction("ENTRYPOINT ")[..] else {
        panic!("one program");
    };
    assert!(DOCKERFILE.contains(&format!("/release/examples/fleet {program}\n")));
    assert!(DOCKERFILE.contains("--package snapshot-replication --example fleet\n"));
    assert!(CARGO.contains("name = \"snapshot-replication\""));
    let rust = env!("CARGO_PKG_RUST_VERSION");
    assert!(DOCKERFILE.contains(&format!("FROM rust:{rust}-")));
    let image = at(container, "image").as_str().unwrap();
    assert!(DOCKERFILE.contains(&format!("--tag {image} .")));
    // Health comes several times within the time that the fleet lets pass.
    let period_s = at(server, "health.periodSeconds").as_integer().unwrap();
    assert!(period_s as f64 >= 3.0 * HEALTH_S);
    assert_eq!(at(scaler, "spec.fleetName"), at(fleet, "metadata.name"));
    let buffer = |name| {
        at(scaler, "spec.policy.buffer")
            .as_mapping_get(name)
            .and_then(Yaml::as_integer)
    };
    let [size, least, most] =
        ["bufferSize", "minReplicas", "maxReplicas"].map(|name| buffer(name).unwrap());
    assert!(1 <= size && size <= most && least <= most);
}
