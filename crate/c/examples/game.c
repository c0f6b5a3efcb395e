/* A server and a client over a network that loses every tenth datagram. A game has a socket in its place. */
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

static uint32_t all_but_two(void *user, uint32_t peer, uint32_t id, float *priority) { return (void)user, (void)peer, *priority = 2.0f, id != 2; }

static int failed(const char *what, uint32_t number) {
  if (number != SNAP_OK) fprintf(stderr, "%s: %u, %s\n", what, (unsigned)number, snap_error_name(number));
  return number != SNAP_OK;
}

int main(void) {
  static const uint8_t secret[16] = {1}; /* In a game these are random. */
  SnapSettings settings;
  SnapServer *server = NULL;
  Link link = {0};
  if (failed("settings", snap_settings(OBJECTS, &settings))) return 1;
  settings.field_count = 1;
  strcpy((char *)settings.fields[0].name, "health");
  settings.fields[0].bits = 7;
  settings.fields[0].counter = 1;
  if (failed("server", snap_server_new(&settings, secret, &server))) return 1;
  if (failed("client", snap_client_new(&settings, (const uint8_t *)"ticket", 6, 42, &link.client))) return 1;
  SnapObject shown[OBJECTS];
  size_t count = 0;
  uint32_t joined = 0;
  for (uint64_t tick = 1; tick <= 240; tick++) {
    uint8_t bytes[ROOM], answer[ROOM];
    size_t length = ROOM;
    link.now_ms = (double)tick * 1000.0 / 60.0;
    while (!failed("send", snap_client_send(link.client, link.now_ms, bytes, &length)) && length > 0) {
      SnapReceived received;
      size_t answer_length = ROOM;
      const uint64_t host = 0x7f000001;
      if (passes(&link) && snap_server_receive_from_host(server, link.now_ms, (const uint8_t *)"a", 1, &host, bytes, length, &received, answer, &answer_length) == SNAP_OK) {
        if (received.what == SNAP_JOINS) snap_server_admit(server, joined = received.peer);
        if (received.what == SNAP_ANSWER) to_client(&link, NULL, 0, answer, answer_length);
      }
      length = ROOM;
    }
    SnapObject objects[OBJECTS];
    memset(objects, 0, sizeof objects);
    for (uint32_t i = 0; i < OBJECTS; i++) {
      objects[i].id = i + 1;
      objects[i].position[0] = (float)tick / 60.0f;
      objects[i].orientation[3] = 1.0f;
      objects[i].fields[0] = 100 - i;
    }
    if (failed("tick", snap_server_tick(server, link.now_ms, tick, objects, OBJECTS, to_client, all_but_two, &link))) return 1;
    count = OBJECTS;
    if (failed("show", snap_client_show(link.client, link.now_ms, shown, &count))) return 1;
  }
  /* The connection began once, and nothing else happened to it. */
  const int began = snap_client_next_event(link.client) == SNAP_CLIENT_EVENT_CONNECTED && snap_client_next_event(link.client) == SNAP_CLIENT_EVENT_NONE;
  /* A datagram from nowhere has a number, and a small buffer too. */
  size_t little = 3;
  const int refused = snap_client_receive(link.client, 5000.0, secret, sizeof secret) > SNAP_BUFFER;
  size_t enough = ROOM;
  const int small = snap_client_send(link.client, 5000.0, (uint8_t *)shown, &little) == SNAP_BUFFER && snap_client_goodbye(link.client, NULL, &enough) == SNAP_BUFFER;
  const int connected = snap_client_status(link.client) == SNAP_CONNECTED;
  for (size_t i = 0; i < count; i++) printf("%u at %.3f has %u\n", (unsigned)shown[i].id, (double)shown[i].position[0], (unsigned)shown[i].fields[0]);
  /* The server throws the client out, which is told why. */
  uint32_t peer = 0, why = 0, left = 0;
  char words[SNAP_WORDS_BYTES];
  size_t room = ROOM;
  uint8_t datagram[ROOM];
  snap_server_refuse(server, joined, "bad words");
  for (uint64_t tick = 241; tick < 400; tick++) link.now_ms = (double)tick * 1000.0 / 60.0, snap_server_tick(server, link.now_ms, tick, NULL, 0, to_client, NULL, &link);
  snap_client_refusal(link.client, words);
  while (!snap_server_next_event(server, &peer, &why) && why != SNAP_EVENT_NONE) left += peer == joined && why == SNAP_EVENT_REFUSED;
  const int has_left = !strcmp(words, "bad words") && left == 1 && snap_server_peers(server) == 0 && !snap_client_goodbye(link.client, datagram, &room);
  snap_client_free(link.client);
  snap_server_free(server);
  return !(has_left && began && count == 2 && shown[1].id == 3 && shown[1].fields[0] == 98 && refused && small && connected);
}
