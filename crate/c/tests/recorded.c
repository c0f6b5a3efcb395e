/* A client that records, over a network that loses every tenth datagram: recorded FILE. */
#include "snapshot.h"
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 3, ROOM = 1200 };

typedef struct { SnapClient *client; double now_ms; unsigned sent; } Link;

static int passes(Link *link) { return ++link->sent % 10 != 0; }

static void to_client(void *user, const uint8_t *address, size_t address_length, const uint8_t *bytes, size_t length) {
  Link *link = user;
  (void)address, (void)address_length;
  if (passes(link)) (void)snap_client_receive(link->client, link->now_ms, bytes, length);
}

static int write_file(const char *name, const uint8_t *bytes, size_t length) {
  FILE *file = fopen(name, "wb");
  if (!file) return 1;
  const size_t written = fwrite(bytes, 1, length, file);
  return fclose(file) || written != length;
}

int main(int argc, char **argv) {
  static const uint8_t secret[16] = {1};
  SnapSettings settings;
  SnapServer *server = NULL;
  SnapClient *silent = NULL;
  Link link = {0};
  const uint8_t *recording = secret;
  size_t length = 1;
  if (argc != 2 || snap_settings(OBJECTS, &settings)) return 2;
  if (snap_server_new(&settings, secret, &server)) return 4;
  if (snap_client_new_recorded(&settings, (const uint8_t *)"ticket", 6, 42, 1 << 20, &link.client)) return 5;
  /* Who does not record has nothing. */
  if (snap_client_new(&settings, NULL, 0, 1, &silent) || snap_client_recording(silent, &recording, &length) || recording || length) return 6;
  for (uint64_t tick = 1; tick <= 300; tick++) {
    uint8_t bytes[ROOM], answer[ROOM];
    size_t room = ROOM, count = OBJECTS;
    link.now_ms = (double)tick * 1000.0 / 60.0;
    while (!snap_client_send(link.client, link.now_ms, bytes, &room) && room > 0) {
      SnapReceived received;
      size_t answer_length = ROOM;
      if (passes(&link) && !snap_server_receive(server, link.now_ms, (const uint8_t *)"a", 1, bytes, room, &received, answer, &answer_length)) {
        if (received.what == SNAP_JOINS) snap_server_admit(server, received.peer);
        if (received.what == SNAP_ANSWER) to_client(&link, NULL, 0, answer, answer_length);
      }
      room = ROOM;
    }
    SnapObject objects[OBJECTS], shown[OBJECTS];
    memset(objects, 0, sizeof objects);
    for (uint32_t i = 0; i < OBJECTS; i++) {
      objects[i].id = i + 1;
      objects[i].position[0] = (float)tick / 60.0f;
      objects[i].orientation[3] = 1.0f;
    }
    if (snap_server_tick(server, link.now_ms, tick, objects, OBJECTS, to_client, NULL, &link)) return 7;
    if (snap_client_show(link.client, link.now_ms, shown, &count)) return 8;
  }
  if (snap_client_recording(link.client, &recording, &length) || write_file(argv[1], recording, length)) return 9;
  snap_client_free(link.client);
  snap_server_free(server);
  snap_client_free(silent);
  return 0;
}
