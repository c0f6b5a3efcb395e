uniform vec3 background;
uniform vec3 shadow_colour;
in vec3 world_position;
layout(location = 0) out vec4 pixel;

void main() {
    pixel = vec4(mix(shadow_colour, background, sunlight(world_position, vec3(0.0, 0.0, 1.0))), 1.0);
}
