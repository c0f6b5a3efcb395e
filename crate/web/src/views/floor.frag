uniform vec3 background;
uniform vec3 shadow_colour;
uniform vec3 line_colour;
in vec3 world_position;
layout(location = 0) out vec4 pixel;

// Lines so far apart, a pixel wide, as long as they stand clear of each other.
float lines(vec2 at, float apart_m) {
    vec2 place = at / apart_m;
    vec2 pixel_width = max(fwidth(place), vec2(1e-6));
    vec2 off = abs(fract(place - 0.5) - 0.5) / pixel_width;
    vec2 line = (1.0 - clamp(off, 0.0, 1.0)) * (1.0 - smoothstep(0.1, 0.35, pixel_width));
    return max(line.x, line.y);
}

void main() {
    // A shade off the sky, so that there is a horizon.
    vec3 lit_floor = mix(background, line_colour, 0.25 + 0.75 * lines(world_position.xy, 5.0));
#ifdef SHADOW_MAP
    pixel = vec4(mix(shadow_colour, lit_floor, sunlight(world_position, vec3(0.0, 0.0, 1.0))), 1.0);
#else
    pixel = vec4(lit_floor, 1.0);
#endif
}
