// One corner of one cube, in the light of the sun or in the camera's eye.
uniform mat4 view_projection;
in vec3 corner;
in vec4 position_half;
in vec4 orientation;
// Sides as parts of the longest.
in vec4 proportions;
#ifdef LIT
in vec3 normal;
in vec4 colour;
out vec3 world_position;
out vec3 world_normal;
out vec3 face_position;
flat out vec3 face_normal;
flat out vec3 albedo;
flat out vec3 half_m;
#endif
#ifdef FLAT
// The direction to the sun: the corner falls along it onto the floor.
uniform vec3 sun;
#endif

vec3 rotated(vec3 v) {
    return v + 2.0 * cross(orientation.xyz, cross(orientation.xyz, v) + orientation.w * v);
}

void main() {
    vec3 half_sides = position_half.w * proportions.xyz;
    vec3 at = position_half.xyz + rotated(corner * half_sides);
#ifdef LIT
    world_position = at;
    world_normal = rotated(normal);
    face_position = corner * half_sides;
    face_normal = normal;
    albedo = colour.rgb;
    half_m = half_sides;
#endif
#ifdef FLAT
    at -= sun * (max(at.z, 0.0) / sun.z);
    at.z = 0.004;
#endif
    gl_Position = view_projection * vec4(at, 1.0);
}
