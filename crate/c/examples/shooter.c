/* A player of the shooter over UDP: `shooter 127.0.0.1 4040 dora`. The server is the Rust crate's
   `cargo run --example shooter server 4040`. Nobody plays here: the player walks in a square, and shoots twice a second.
   Sockets and the clock are those of POSIX. */
#define _POSIX_C_SOURCE 200809L
#include "snapshot.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The game: as in shooter.rs. */

enum { OBJECTS = 160, TARGETS = 20, ROOM = 1200, INPUTS = 256 };
typedef struct { int8_t walk[2]; int shoots; } Input;

static Input player(uint64_t tick) {
  static const int8_t ways[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const int8_t *way = ways[tick / 60 % 4];
  return (Input){{way[0], way[1]}, tick % 30 == 0};
}

static void walk(float at[3], Input input) {
  for (int axis = 0; axis < 2; axis++) {
    at[axis] += (float)input.walk[axis] * 0.1f;
    at[axis] = at[axis] < -50 ? -50 : at[axis] > 50 ? 50 : at[axis];
  }
}

/* The network code. */

typedef struct { SnapClient *client; int udp; Input inputs[INPUTS]; uint64_t last; float own[3]; int is_there; } Play;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* The own player of the newest snapshot, and his inputs since. */
static void predict(Play *play) {
  SnapObject objects[OBJECTS];
  size_t count = OBJECTS;
  uint64_t tick = 0;
  if (snap_client_newest(play->client, &tick, objects, &count)) return;
  for (size_t i = 0; i < count; i++) {
    if (objects[i].id != 1000 + snap_client_peer(play->client)) continue;
    memcpy(play->own, objects[i].position, sizeof play->own);
    play->is_there = 1;
    for (tick++; tick <= play->last; tick++) walk(play->own, play->inputs[tick % INPUTS]);
  }
}

static void frame(Play *play) {
  const double now = now_ms();
  uint8_t bytes[2048], shown[SNAP_SHOWN_BYTES];
  SnapObject objects[OBJECTS];
  size_t count = OBJECTS, length;
  ssize_t got;
  uint64_t tick;
  while ((got = recv(play->udp, bytes, sizeof bytes, MSG_DONTWAIT)) >= 0) snap_client_receive(play->client, now, bytes, (size_t)got);
  snap_client_show(play->client, now, objects, &count); /* Here a game draws them. */
  while (!snap_client_next_input(play->client, now, &tick) && tick) {
    if (!play->is_there || snap_client_shown(play->client, shown)) break;
    const Input input = player(tick);
    memcpy(bytes, input.walk, 2), memcpy(bytes + 2, shown, sizeof shown);
    snap_client_input(play->client, tick, bytes, input.shoots ? 2 + sizeof shown : 2);
    play->inputs[tick % INPUTS] = input, play->last = tick;
  }
  predict(play);
  while (length = sizeof bytes, !snap_client_next_message(play->client, bytes, &length) && length != SNAP_NOTHING) printf("%.*s\n", (int)length, (char *)bytes);
  while (length = ROOM, !snap_client_send(play->client, now, bytes, &length) && length) (void)!send(play->udp, bytes, length, 0);
}

static void hud(const Play *play) {
  static const char *const states[] = {"connecting", "connected", "refused", "closed", "full"};
  SnapFigures figures;
  char words[SNAP_WORDS_BYTES];
  snap_client_figures(play->client, &figures), snap_client_refusal(play->client, words);
  printf("%s %s: round trip %.0f ms, %.0f %% lost, %.0f ms behind, %u freezes\n", states[snap_client_status(play->client)], words, figures.round_trip_ms, figures.lost_here * 100, figures.delay_ms, (unsigned)figures.freezes);
  printf("I am at %.1f, %.1f\n", (double)play->own[0], (double)play->own[1]);
  fflush(stdout);
}

int main(int count, char **words) {
  if (count != 4) return fprintf(stderr, "shooter HOST PORT NAME\n"), 1;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[2]))};
  Play play = {.udp = socket(AF_INET, SOCK_DGRAM, 0)};
  SnapSettings settings;
  char hello[64];
  if (inet_pton(AF_INET, words[1], &to.sin_addr) != 1 || connect(play.udp, (struct sockaddr *)&to, sizeof to)) return 1;
  snap_settings(OBJECTS, &settings);
  settings.field_count = 1;
  settings.fields[0] = (SnapField){.name = "health", .bits = 7, .counter = 1};
  const uint64_t nonce = (uint64_t)(now_ms() * 1e6) ^ (uint64_t)getpid() << 40; /* In a game it is random. */
  if (snap_client_new(&settings, (const uint8_t *)words[3], strlen(words[3]), nonce, &play.client)) return 1;
  snap_client_message(play.client, (const uint8_t *)hello, (size_t)snprintf(hello, sizeof hello, "%.40s is here", words[3]), 0);
  for (unsigned number = 1;; number++) {
    const struct timespec pause = {0, 16000000};
    frame(&play);
    if (number % 60 == 0) hud(&play);
    nanosleep(&pause, NULL);
  }
}
