uniform vec4 edge_colour;
in vec3 world_position;
in vec3 world_normal;
in vec3 face_position;
flat in vec3 face_normal;
flat in vec3 albedo;
flat in vec3 half_m;
layout(location = 0) out vec4 pixel;

void main() {
    vec3 inside = half_m - abs(face_position) + abs(face_normal) * 1000.0;
    float to_edge = min(inside.x, min(inside.y, inside.z));
    // A pixel wide, and never so wide that a far cube would be a blot.
    if (to_edge > min(max(0.006, 1.2 * fwidth(to_edge)), 0.16 * max(half_m.x, max(half_m.y, half_m.z)))) discard;
    pixel = edge_colour;
}
