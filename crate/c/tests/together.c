/* A client that says what it has, as research/programs/src/bin/together.rs does: together PORT SEED END_MS. */
#define _POSIX_C_SOURCE 200809L
#include "snapshot.h"
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { OBJECTS = 40, ROOM = 2048 };

static uint32_t luck, counts[4];

static int passes(unsigned way) {
  luck ^= luck << 13, luck ^= luck >> 17, luck ^= luck << 5;
  const int lost = luck % 100 < 5;
  counts[way]++;
  counts[way + 1] += (uint32_t)lost;
  return !lost;
}

static void mix(uint32_t *hash, const void *words, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) *hash = (*hash ^ ((const uint8_t *)words)[i]) * 0x01000193u;
}

/* FNV-1a of ids, kinds, positions, orientations and fields. */
static uint32_t hash_of(const SnapObject *objects, size_t count) {
  uint32_t hash = 0x811c9dc5u;
  for (size_t i = 0; i < count; i++) {
    mix(&hash, &objects[i].id, 4);
    mix(&hash, &objects[i].kind, 4);
    mix(&hash, objects[i].position, 12);
    mix(&hash, objects[i].orientation, 16);
    mix(&hash, objects[i].fields, 12);
  }
  return hash;
}

static uint64_t unix_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void add_field(SnapSettings *settings, const char *name, uint32_t bits, uint32_t counter) {
  SnapField *field = &settings->fields[settings->field_count++];
  strcpy((char *)field->name, name);
  field->bits = bits, field->counter = counter;
}

int main(int argc, char **argv) {
  uint32_t port, seed;
  uint64_t end_ms, decoded = UINT64_MAX;
  if (argc != 4 || sscanf(argv[1], "%" SCNu32, &port) != 1 || sscanf(argv[2], "%" SCNu32, &seed) != 1 || sscanf(argv[3], "%" SCNu64, &end_ms) != 1) return 2;
  luck = seed;
  SnapSettings settings;
  SnapClient *client = NULL;
  SnapObject objects[OBJECTS];
  uint8_t bytes[ROOM];
  snap_settings(OBJECTS, &settings);
  settings.tick_rate = 50, settings.send_rate = 25, settings.chained = 1, settings.delay_ms = 160.0;
  add_field(&settings, "run", 4, 0);
  add_field(&settings, "health", 7, 1);
  add_field(&settings, "flag", 1, 0);
  if (snap_client_new(&settings, (const uint8_t *)"ticket", 6, (uint64_t)seed << 32 | 77, &client) != SNAP_OK) return 1;
  struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  if (udp < 0 || connect(udp, (struct sockaddr *)&server, sizeof server) != 0) return 1;
  for (uint64_t at_ms = unix_ms() / 10 * 10; at_ms < end_ms; at_ms = unix_ms() / 10 * 10) {
    ssize_t got;
    while ((got = recv(udp, bytes, ROOM, MSG_DONTWAIT)) >= 0) {
      uint64_t tick;
      size_t count = OBJECTS;
      if (!passes(2)) continue;
      (void)snap_client_receive(client, (double)at_ms, bytes, (size_t)got);
      if (snap_client_newest(client, &tick, objects, &count) != SNAP_OK) return 1;
      if (count > 0 && tick != decoded) printf("D %u %" PRIu64 " %08x %" PRIu64 "\n", objects[0].fields[0], tick, hash_of(objects, count), at_ms), decoded = tick;
    }
    for (size_t length = ROOM; snap_client_send(client, (double)at_ms, bytes, &length) == SNAP_OK && length > 0; length = ROOM)
      if (passes(0) && send(udp, bytes, length, 0) < 0) continue;
    size_t count = OBJECTS;
    if (snap_client_show(client, (double)at_ms, objects, &count) != SNAP_OK) return 1;
    if (count > 0) printf("S %u %.12g %08x\n", objects[0].fields[0], snap_client_shown_tick(client), hash_of(objects, count));
    fflush(stdout);
    const struct timespec rest = {0, (long)(10 - unix_ms() % 10) * 1000000};
    nanosleep(&rest, NULL);
  }
  printf("E %u %u %u %u\n", counts[0], counts[1], counts[2], counts[3]);
  snap_client_free(client);
  return close(udp);
}
