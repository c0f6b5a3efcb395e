# SPDX-License-Identifier: MIT-0
# A recorder of motions for Godot 4. Parsed by gdtoolkit; nobody has run it here.
#
# Add it to the scene as a Node. On the server leave `after_step` on; on a client turn it off, for a row a drawn frame.
extends Node

@export var path := "user://server.csv"
@export var after_step := true

var _file: FileAccess
var _watched := {}
var _ended := {}
var _jumped := {}
var _frame_time := 0.0


# Writes an object from now on, until it is freed or forgotten. The id is its number on the network.
func watch(body: Node3D, id: int, kind := 0) -> void:
	_watched[id] = [weakref(body), kind]


# Tells that an object has been teleported since the last row.
func jump(id: int) -> void:
	_jumped[id] = true


# Ends an object that is not freed, as in a pool.
func forget(id: int) -> void:
	if _watched.has(id):
		_watched[id][0] = null


func _ready() -> void:
	# Behind all others, which move the objects.
	process_priority = 1000
	process_physics_priority = 1000
	_file = FileAccess.open(path, FileAccess.WRITE)
	if _file == null:
		push_error("the recorder cannot write " + path)
		return
	_file.store_string("up=y\nunit=m\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n")


func _physics_process(_delta: float) -> void:
	if after_step:
		_write(Engine.get_physics_frames() / float(Engine.physics_ticks_per_second))


func _process(delta: float) -> void:
	_frame_time += delta
	if not after_step:
		_write(_frame_time)


func _exit_tree() -> void:
	_file = null


func _write(time: float) -> void:
	if _file == null:
		return
	for id in _watched.keys():
		var kind: int = _watched[id][1]
		var body: Node3D = null if _watched[id][0] == null else _watched[id][0].get_ref()
		if body == null:
			_row(time, id, kind, "end", ";;;;;;")
			_watched.erase(id)
			_ended[id] = true
			_jumped.erase(id)
			continue
		var happens := ""
		if _ended.erase(id):
			happens = "spawn"
		elif _jumped.has(id):
			happens = "jump"
		_jumped.erase(id)
		var p := body.global_position
		var q := body.global_basis.get_rotation_quaternion()
		_row(time, id, kind, happens, "%.6f;%.6f;%.6f;%.7f;%.7f;%.7f;%.7f" % [p.x, p.y, p.z, q.x, q.y, q.z, q.w])


func _row(time: float, id: int, kind: int, happens: String, pose: String) -> void:
	_file.store_string("%.6f;%d;%d;%s;%s\n" % [time, id, kind, happens, pose])
