// How much of the sun reaches a place: 0 in full shadow, 1 in full light.
uniform mat4 sun_view_projection;
uniform highp sampler2D shadow_map;
uniform float shadow_texel_m;

float sunlight(vec3 position, vec3 normal) {
    // Half a texel off the surface, along it: no surface may shade itself.
    vec4 projected = sun_view_projection * vec4(position + normal * shadow_texel_m * 1.5, 1.0);
    vec3 place = projected.xyz / projected.w * 0.5 + 0.5;
    if (any(lessThan(place, vec3(0.0))) || any(greaterThan(place, vec3(1.0)))) {
        return 1.0;
    }
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
    float lit = 0.0;
    float weights = 0.0;
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) {
            float weight = (3.0 - abs(float(x))) * (3.0 - abs(float(y)));
            float depth = texture(shadow_map, place.xy + vec2(x, y) * texel * 1.25).r;
            lit += weight * step(place.z - 0.0004, depth);
            weights += weight;
        }
    }
    // The map ends softly.
    vec2 edge = smoothstep(0.42, 0.5, abs(place.xy - 0.5));
    return mix(lit / weights, 1.0, max(edge.x, edge.y));
}
