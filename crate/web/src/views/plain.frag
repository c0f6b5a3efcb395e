uniform vec3 plain_colour;
layout(location = 0) out vec4 pixel;

void main() {
    pixel = vec4(plain_colour, 1.0);
}
