//! Split of a module, after linking, into a first part and a rest that share memory, tables and globals.
//!
//! Every function can be called at any time. A function of the rest that the first part calls, exports or has in its table is a
//! stub there: it has JavaScript load the rest if that is not there yet, and then calls the function by a place in the table
//! that the rest fills.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rustc_demangle::demangle;
use walrus::ir::{
    Call, CallIndirect, Const, Instr, Load, LocalGet, UnaryOp, Value, Visitor, dfs_in_order,
};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalId, GlobalKind, ImportId, ImportedFunction, Module, ModuleConfig, TableId,
    ValType, passes,
};

use crate::Result;
use crate::rest;

/// Module from which the rest imports items of the first part.
const FIRST: &str = "first";
/// Module and name of the JavaScript function that loads the rest before it returns. It gets the place of the called function.
const LOAD: [&str; 2] = ["rest", "load"];

pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) rest: Vec<u8>,
    /// Names of the functions that have stubs, by their places in the table.
    pub(crate) stubs: Vec<(u64, String)>,
}

/// Bytes with their address in memory.
type Bytes = (i32, Vec<u8>);

/// Splits a module that has its names, as `rest` says. The parts have no names.
pub(crate) fn split(wasm: &[u8]) -> Result<Parts> {
    let parse = || {
        let mut config = ModuleConfig::new();
        config.generate_name_section(false);
        config.generate_producers_section(false);
        config.parse(wasm).map_err(|error| format!("{error:#}"))
    };
    // Items have the same order in both, until one is deleted.
    let (mut first, mut rest) = (parse()?, parse()?);
    let pairs = first.funcs.iter().zip(rest.funcs.iter());
    let pairs: Vec<_> = pairs.map(|(a, b)| (a.id(), b.id())).collect();
    let addresses = addresses_of_rest(&first)?;
    let mut doors = doors(&first, &addresses)?;
    for id in doors.keys() {
        let nothing = vec![Instr::Unreachable(walrus::ir::Unreachable {})];
        set_body(&mut first, *id, nothing);
    }
    let mut shared = share_objects(&mut rest, &first);
    passes::gc::run(&mut first);
    let left: BTreeSet<_> = first.funcs.iter().map(|it| it.id()).collect();
    doors.retain(|id, _| left.contains(id));
    for (in_first, in_rest) in &pairs {
        if left.contains(in_first) && !doors.contains_key(in_first) {
            shared.extend(share_function(&mut rest, *in_rest, *in_first));
        }
    }
    let table = table_of_functions(&first)?;
    let places = first.tables.get(table).initial;
    let is_loaded = write_stubs(&mut first, table, doors.keys().copied());
    let moved = take_data(&mut first, &addresses)?;
    let behind = pairs.iter().filter(|(id, _)| doors.contains_key(id));
    let behind = behind.map(|(_, in_rest)| *in_rest).collect();
    let import = write_rest(&mut rest, places, behind, moved)?;
    shared.insert(import, is_loaded.into());
    passes::gc::run(&mut rest);
    for (number, import) in rest.imports.iter_mut().enumerate() {
        if import.module == FIRST {
            let item = shared.remove(&import.id());
            import.name = format!("${number:x}");
            first
                .exports
                .add(&import.name, item.ok_or("an import is of nothing")?);
        }
    }
    passes::gc::run(&mut first);
    Ok(Parts {
        first: first.emit_wasm(),
        rest: rest.emit_wasm(),
        stubs: (places..).zip(doors.into_values()).collect(),
    })
}

/// Returns the functions of the module that `rest` names, and those that know where its bytes are. What only they reach is of
/// the rest, too.
fn doors(module: &Module, addresses: &[Range<i64>]) -> Result<BTreeMap<FunctionId, String>> {
    let mut exported = BTreeMap::new();
    for export in module.exports.iter() {
        if let ExportItem::Function(id) = export.item {
            exported.insert(id, export.name.as_str());
        }
    }
    let in_table: Vec<FunctionId> = (module.elements.iter())
        .flat_map(|element| match &element.items {
            ElementItems::Functions(ids) => ids.as_slice(),
            ElementItems::Expressions(..) => &[],
        })
        .copied()
        .collect();
    let mut parts = rest::Names::new();
    let mut doors = BTreeMap::new();
    for (id, function) in module.funcs.iter_local() {
        let mut reads = Reads {
            addresses,
            found: false,
        };
        dfs_in_order(&mut reads, function, function.entry_block());
        let name = module.funcs.get(id).name.as_deref().unwrap_or("");
        let name = format!("{:#}", demangle(name));
        let is_door = match exported.get(&id) {
            Some(name) => parts.has_export(name),
            // A value that is dropped in the first part may be none of the rest's.
            None if name.starts_with("core::ptr::drop_in_place") && !in_table.contains(&id) => {
                false
            }
            None => parts.has_path(&name),
        };
        if is_door || reads.found {
            doors.insert(id, name);
        }
    }
    parts.check()?;
    Ok(doors)
}

fn table_of_functions(module: &Module) -> Result<TableId> {
    let table = module.tables.main_function_table();
    let table = table.map_err(|error| format!("{error:#}"))?;
    table.ok_or_else(|| "the module has no table of functions".to_owned())
}

fn set_body(module: &mut Module, id: FunctionId, body: Vec<Instr>) {
    if let FunctionKind::Local(local) = &mut module.funcs.get_mut(id).kind {
        let entry = local.entry_block();
        let body = body.into_iter().map(|it| (it, Default::default()));
        local.block_mut(entry).instrs = body.collect();
    }
}

/// Makes functions call those at the end of the table, to which places are added. Returns the global that is 1 once the rest
/// is there.
fn write_stubs(
    first: &mut Module,
    table: TableId,
    doors: impl ExactSizeIterator<Item = FunctionId>,
) -> GlobalId {
    let zero = ConstExpr::Value(Value::I32(0));
    let is_loaded = first.globals.add_local(ValType::I32, true, false, zero);
    let of_place = first.types.add(&[ValType::I32], &[]);
    let (load, _) = first.add_import_func(LOAD[0], LOAD[1], of_place);
    // Returns the place that it gets, once something is there.
    let place = first.locals.add(ValType::I32);
    let mut filled = FunctionBuilder::new(&mut first.types, &[ValType::I32], &[ValType::I32]);
    let mut body = filled.func_body();
    body.global_get(is_loaded).unop(UnaryOp::I32Eqz);
    let load = |then: &mut walrus::InstrSeqBuilder| {
        then.local_get(place).call(load);
    };
    body.if_else(None, load, |_| ()).local_get(place);
    let filled = filled.finish(vec![place], &mut first.funcs);
    let from = first.tables.get(table).initial;
    lengthen(first, table, doors.len());
    for (place, id) in (from as i32..).zip(doors) {
        let FunctionKind::Local(local) = &first.funcs.get(id).kind else {
            continue;
        };
        let ty = local.ty();
        let given = local.args.iter();
        let mut body: Vec<Instr> = given
            .map(|local| LocalGet { local: *local }.into())
            .collect();
        let value = Value::I32(place);
        body.push(Const { value }.into());
        body.push(Call { func: filled }.into());
        body.push(CallIndirect { ty, table }.into());
        set_body(first, id, body);
    }
    is_loaded
}

fn lengthen(module: &mut Module, table: TableId, by: usize) {
    let table = module.tables.get_mut(table);
    table.initial += by as u64;
    table.maximum = table.maximum.map(|most| most.max(table.initial));
}

/// Makes the rest import the tables, memories and globals. Returns the items of the first part by these imports.
fn share_objects(rest: &mut Module, first: &Module) -> BTreeMap<ImportId, ExportItem> {
    let mut shared = BTreeMap::new();
    let ids: Vec<_> = rest.tables.iter().map(|it| it.id()).collect();
    for (id, in_first) in ids.into_iter().zip(first.tables.iter()) {
        let import = rest.imports.add(FIRST, "", id);
        let table = rest.tables.get_mut(id);
        (table.import, table.init) = (Some(import), None);
        shared.insert(import, in_first.id().into());
    }
    let ids: Vec<_> = rest.memories.iter().map(|it| it.id()).collect();
    for (id, in_first) in ids.into_iter().zip(first.memories.iter()) {
        let import = rest.imports.add(FIRST, "", id);
        rest.memories.get_mut(id).import = Some(import);
        shared.insert(import, in_first.id().into());
    }
    let ids: Vec<_> = rest.globals.iter().map(|it| it.id()).collect();
    for (id, in_first) in ids.into_iter().zip(first.globals.iter()) {
        let import = rest.imports.add(FIRST, "", id);
        rest.globals.get_mut(id).kind = GlobalKind::Import(import);
        shared.insert(import, in_first.id().into());
    }
    shared
}

/// Makes the rest import a function of the first part. Functions of JavaScript are imported already.
fn share_function(
    rest: &mut Module,
    id: FunctionId,
    in_first: FunctionId,
) -> Option<(ImportId, ExportItem)> {
    let FunctionKind::Local(local) = &rest.funcs.get(id).kind else {
        return None;
    };
    let ty = local.ty();
    let import = rest.imports.add(FIRST, "", id);
    rest.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    Some((import, in_first.into()))
}

/// Makes the rest fill the table from a place on with these functions, and the memory with bytes. It exports nothing. Returns
/// the import of the global that says so.
fn write_rest(
    rest: &mut Module,
    from: u64,
    functions: Vec<FunctionId>,
    moved: Vec<Bytes>,
) -> Result<ImportId> {
    let exports: Vec<_> = rest.exports.iter().map(|it| it.id()).collect();
    exports.into_iter().for_each(|id| rest.exports.delete(id));
    let elements: Vec<_> = rest.elements.iter().map(|it| it.id()).collect();
    for id in elements {
        rest.elements.delete(id);
        for table in rest.tables.iter_mut() {
            table.elem_segments.remove(&id);
        }
    }
    let data: Vec<_> = rest.data.iter().map(|it| it.id()).collect();
    for id in data {
        rest.data.delete(id);
        for memory in rest.memories.iter_mut() {
            memory.data_segments.remove(&id);
        }
    }
    let table = table_of_functions(rest)?;
    lengthen(rest, table, functions.len());
    let offset = ConstExpr::Value(Value::I32(from as i32));
    let kind = ElementKind::Active { table, offset };
    let element = (rest.elements).add(kind, ElementItems::Functions(functions));
    rest.tables.get_mut(table).elem_segments.insert(element);
    add_data(rest, moved)?;
    // It starts after tables and memory are filled.
    let import = rest.add_import_global(FIRST, "", ValType::I32, true, false);
    let (is_loaded, import) = import;
    let mut start = FunctionBuilder::new(&mut rest.types, &[], &[]);
    start.func_body().i32_const(1).global_set(is_loaded);
    rest.start = Some(start.finish(Vec::new(), &mut rest.funcs));
    Ok(import)
}

fn add_data(module: &mut Module, all: Vec<Bytes>) -> Result {
    let memory = module.memories.iter().next();
    let memory = memory.ok_or("the module has no memory")?.id();
    for (address, bytes) in all {
        let offset = ConstExpr::Value(Value::I32(address));
        let data = (module.data).add(DataKind::Active { memory, offset }, bytes);
        module.memories.get_mut(memory).data_segments.insert(data);
    }
    Ok(())
}

/// Addresses of the bytes that only functions of the rest read.
fn addresses_of_rest(module: &Module) -> Result<Vec<Range<i64>>> {
    let found = |wanted: &&[u8]| {
        module.data.iter().find_map(|data| {
            let mut windows = data.value.windows(wanted.len());
            let at = windows.position(|bytes| bytes == *wanted)? as i64;
            let from = i64::from(address(&data.kind)?) + at;
            Some(from..from + wanted.len() as i64)
        })
    };
    let found: Option<Vec<_>> = rest::DATA.iter().map(found).collect();
    found.ok_or_else(|| "the program lacks bytes of the rest".to_owned())
}

fn address(kind: &DataKind) -> Option<i32> {
    match kind {
        DataKind::Active {
            offset: ConstExpr::Value(Value::I32(address)),
            ..
        } => Some(*address),
        DataKind::Active { .. } | DataKind::Passive => None,
    }
}

/// Search for constants within ranges of addresses in the code of a function.
struct Reads<'a> {
    addresses: &'a [Range<i64>],
    found: bool,
}

impl Reads<'_> {
    fn see(&mut self, value: i64) {
        self.found |= self.addresses.iter().any(|range| range.contains(&value));
    }
}

impl Visitor<'_> for Reads<'_> {
    fn visit_value(&mut self, value: &Value) {
        if let Value::I32(value) = value {
            self.see(i64::from(*value));
        }
    }

    fn visit_load(&mut self, load: &Load) {
        self.see(load.arg.offset as i64);
    }
}

/// Takes bytes at these addresses out of the first part's memory.
fn take_data(first: &mut Module, addresses: &[Range<i64>]) -> Result<Vec<Bytes>> {
    let mut taken = Vec::new();
    for range in addresses {
        let inside = first.data.iter().find_map(|data| {
            let from = address(&data.kind)?;
            let at = usize::try_from(range.start - i64::from(from)).ok()?;
            (at < data.value.len()).then_some((data.id(), from, at))
        });
        let (id, from, at) = inside.ok_or("bytes of the rest overlap")?;
        let value = &mut first.data.get_mut(id).value;
        let end = at + (range.end - range.start) as usize;
        let after = value.split_off(end);
        taken.push((from + at as i32, value.split_off(at)));
        add_data(first, vec![(from + end as i32, after)])?;
    }
    Ok(taken)
}
