uniform mat4 view_projection;
uniform vec2 centre;
in vec3 corner;
out vec3 world_position;

void main() {
    world_position = vec3(corner.xy * 400.0 + centre, 0.0);
    gl_Position = view_projection * vec4(world_position, 1.0);
}
