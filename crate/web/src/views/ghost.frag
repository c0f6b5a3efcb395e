uniform vec4 edge_colour;
uniform float near;
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
    float longest = max(half_m.x, max(half_m.y, half_m.z));
    // A pixel wide, and never so wide that a far cube would be a blot.
    if (to_edge > min(1.2 * fwidth(to_edge), 0.16 * longest)) discard;
    pixel = edge_colour;
    // Nearer by the cube's own size: it lies partly within the cube that is shown for it.
    gl_FragDepth = gl_FragCoord.z - near * 3.0 * longest * gl_FragCoord.w * gl_FragCoord.w;
}
