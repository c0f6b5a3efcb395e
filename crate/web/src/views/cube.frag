uniform vec3 sun;
in vec3 world_position;
in vec3 world_normal;
in vec3 face_position;
flat in vec3 face_normal;
flat in vec3 albedo;
flat in vec3 half_m;
layout(location = 0) out vec4 pixel;

void main() {
    vec3 normal = normalize(world_normal);
    float sun_part = max(dot(normal, sun), 0.0);
#ifdef SHADOW_MAP
    sun_part *= sunlight(world_position, normal);
#endif
    float sky_part = mix(0.60, 0.78, normal.z * 0.5 + 0.5);
    // Where a cube meets the floor it sees less of the sky.
    float open = mix(0.86, 1.0, smoothstep(0.0, 0.35, world_position.z));
    vec3 colour = albedo * (sky_part * open + 0.36 * sun_part);
#ifdef SHADOW_MAP
    // A hair of light along the edges keeps touching cubes apart.
    vec3 inside = half_m - abs(face_position) + abs(face_normal) * 1000.0;
    float to_edge = min(inside.x, min(inside.y, inside.z));
    colour += 0.07 * (1.0 - smoothstep(0.0, max(0.014, fwidth(to_edge)), to_edge));
#endif
    pixel = vec4(colour, 1.0);
}
