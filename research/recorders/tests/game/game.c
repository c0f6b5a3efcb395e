/* The game of tests/all.rs in C and C++. */

#include "motion_recorder.h"

int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    int step;
    if (file == NULL) return 1;
    motion_begin(file, "z", "right", "m");
    for (step = 0; step <= 60; step++) {
        const double time_s = step / 60.0;
        const float sinks[3] = {step < 30 ? 1.0f : 9.0f, 2.0f, 3.0f - 0.01f * (float)step};
        const float turns[3] = {4, 5, 6}, lives[3] = {7, 7, 7};
        const float upright[4] = {0, 0, 0, 1}, over[4] = {1, 0, 0, 0};
        motion_row(file, time_s, 0, 1, step == 30 ? "jump" : "", sinks, upright);
        motion_row(file, time_s, 1, 1, "", turns, step % 2 == 0 ? upright : over);
        if (step % 30 == 20) motion_end(file, time_s, 7, 2);
        else if (step % 30 >= 10 && step % 30 < 20) motion_row(file, time_s, 7, 2, step == 40 ? "spawn" : "", lives, upright);
    }
    return fclose(file);
}
