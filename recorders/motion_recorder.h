/* SPDX-License-Identifier: MIT-0
   A recorder of motions for C and C++, for engines such as Box3D. Compiled as C99 and C++17, and run.

   Call motion_begin once, then motion_row for every object after each step, or once a drawn frame on a client. Call motion_end
   once for an object that is no longer there. A number that begins another life says "spawn", a teleport "jump", else "". */

#ifndef MOTION_RECORDER_H
#define MOTION_RECORDER_H

#include <stdint.h>
#include <stdio.h>

/* Writes the axes and the unit, as the engine has them: up is "y" or "z", hand is "right" or "left", unit is "m", "cm" or "mm". */
static inline void motion_begin(FILE *file, const char *up, const char *hand, const char *unit) {
    fprintf(file, "up=%s\nhand=%s\nunit=%s\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n", up, hand, unit);
}

/* Writes where an object is. The id is its number on the network. The quaternion is x, y, z, w. */
static inline void motion_row(FILE *file, double time_s, uint32_t id, uint32_t kind, const char *event, const float position[3],
                              const float quaternion[4]) {
    int i;
    fprintf(file, "%.6f;%lu;%lu;%s", time_s, (unsigned long)id, (unsigned long)kind, event);
    for (i = 0; i < 3; i++) fprintf(file, ";%.9g", (double)position[i]);
    for (i = 0; i < 4; i++) fprintf(file, ";%.9g", (double)quaternion[i]);
    fputc('\n', file);
}

/* Writes that an object is no longer there. */
static inline void motion_end(FILE *file, double time_s, uint32_t id, uint32_t kind) {
    fprintf(file, "%.6f;%lu;%lu;end;;;;;;;\n", time_s, (unsigned long)id, (unsigned long)kind);
}

#endif
