# The game of tests/all.rs for Godot 3.
extends SceneTree

var recorder = preload("res://motion_recorder_3.gd").new()
var sinks := Spatial.new()
var turns := Spatial.new()
var lives: Spatial
var step := -1


func _init() -> void:
	recorder.path = "res://game.csv"
	recorder.watch(sinks, 0, 1)
	recorder.watch(turns, 1, 1)
	for node in [sinks, turns, recorder]:
		root.add_child(node)
	turns.translation = Vector3(4, 6, 5)


func _iteration(_delta: float) -> bool:
	step += 1
	sinks.translation = Vector3(1 if step < 30 else 9, 3 - 0.01 * step, 2)
	if step == 30:
		recorder.jump(0)
	turns.rotation = Vector3(0 if step % 2 == 0 else 1, 0, 0)
	if step % 30 == 10:
		lives = Spatial.new()
		root.add_child(lives)
		recorder.watch(lives, 7, 2)
	if step % 30 == 20:
		lives.free()
	if step == 60:
		quit()
	return false
