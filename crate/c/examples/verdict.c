/* The lines that the laboratory's verdict gives for its settings, compiled and run: snapshot-analysis holds them to these.
   Each server's datagrams are a line of output: their number, their bytes, and a hash of all but the
   first, which accepts, and but for the tags at their ends. Those depend on the type of an address. */
#include "snapshot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { SnapClient *client; double now_ms; unsigned datagrams, bytes; uint32_t hash; } Link;

static void to_client(void *user, const uint8_t *address, size_t address_length, const uint8_t *bytes, size_t length) {
  Link *link = user;
  (void)address, (void)address_length;
  link->datagrams += 1;
  link->bytes += (unsigned)length;
  for (size_t i = 0; link->datagrams > 1 && i < length - 4; i++) link->hash = (link->hash ^ bytes[i]) * 0x01000193u;
  (void)snap_client_receive(link->client, link->now_ms, bytes, length);
}

/* An object of the motion: it goes to and fro, and turns now and then. */
static SnapObject object(unsigned index, unsigned tick) {
  static const float turns[4][2] = {{0.0f, 1.0f}, {0.28f, 0.96f}, {0.6f, 0.8f}, {0.8f, 0.6f}};
  const unsigned way = tick * (index + 1) % 512;
  SnapObject made;
  memset(&made, 0, sizeof made);
  made.id = 501 + index;
  made.position[0] = (float)abs((int)way - 256) / 16.0f - 8.0f;
  made.position[1] = (float)index;
  made.position[2] = 1.0f;
  memcpy(made.orientation + 2, turns[(tick / 15 + index) % 4], sizeof turns[0]);
  made.velocities = SNAP_VELOCITY;
  made.velocity[0] = (float)(index + 1) * (way < 256 ? -3.75f : 3.75f);
  return made;
}

/* Four seconds without a network: 1 if the client shows all objects. */
static int play(SnapServer *server, SnapClient *client) {
  SnapObject objects[8], shown[16];
  Link link = {client, 0.0, 0, 0, 0x811c9dc5u};
  size_t count = 0;
  for (unsigned tick = 1; tick <= 240; tick++) {
    uint8_t bytes[1200], answer[1200];
    size_t length = sizeof bytes;
    link.now_ms = (double)tick * 1000.0 / 60.0;
    while (snap_client_send(client, link.now_ms, bytes, &length) == SNAP_OK && length > 0) {
      SnapReceived received;
      size_t answer_length = sizeof answer;
      if (snap_server_receive(server, link.now_ms, (const uint8_t *)"a", 1, bytes, length, &received, answer, &answer_length) == SNAP_OK) {
        if (received.what == SNAP_JOINS) snap_server_admit(server, received.peer);
        if (received.what == SNAP_ANSWER) snap_client_receive(client, link.now_ms, answer, answer_length);
      }
      length = sizeof bytes;
    }
    for (unsigned index = 0; index < 8; index++) objects[index] = object(index, tick);
    if (snap_server_tick(server, link.now_ms, tick, objects, 8, to_client, NULL, &link) != SNAP_OK) return 0;
    count = 16;
    if (snap_client_show(client, link.now_ms, shown, &count) != SNAP_OK) return 0;
  }
  printf("%u\t%u\t%08x\n", link.datagrams, link.bytes, (unsigned)link.hash);
  snap_client_free(client);
  snap_server_free(server);
  return count == 8;
}

int main(void) {
  static const uint8_t secret[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, token[] = "a ticket";
  const size_t token_length = 8;
  const uint64_t nonce = 0x0909090909090909u;
  int good = 0;
  {
    SnapSettings settings;
    snap_settings(16, &settings);
    settings.tick_rate = 60;
    settings.send_rate = 20;
    settings.lower[0] = -64;
    settings.upper[0] = 64;
    settings.lower[1] = -32;
    settings.upper[1] = 32;
    settings.lower[2] = 0;
    settings.upper[2] = 8;
    settings.position_bits = 9;
    settings.orientation_bits = 9;
    settings.velocity_bits = 5;
    settings.rung = 11;
    settings.chained = 1;
    settings.interpolation = 3;
    settings.delay_ms = 100.0;
    SnapServer *server;
    SnapClient *client;
    snap_server_new(&settings, secret, &server);
    snap_client_new(&settings, token, token_length, nonce, &client);
    good += play(server, client);
  }
  {
    SnapSettings settings;
    snap_settings(16, &settings);
    settings.tick_rate = 60;
    settings.send_rate = 30;
    settings.lower[0] = -64;
    settings.upper[0] = 64;
    settings.lower[1] = -32;
    settings.upper[1] = 32;
    settings.lower[2] = 0;
    settings.upper[2] = 8;
    settings.position_bits = 10;
    settings.orientation_bits = 10;
    settings.velocity_bits = 5;
    settings.rung = 12;
    settings.chained = 0;
    settings.interpolation = 1;
    settings.delay_ms = -1.0;
    SnapServer *server;
    SnapClient *client;
    snap_server_new(&settings, secret, &server);
    snap_client_new(&settings, token, token_length, nonce, &client);
    good += play(server, client);
  }
  {
    SnapSettings settings;
    snap_settings(16, &settings);
    settings.tick_rate = 60;
    settings.send_rate = 10;
    settings.lower[0] = -64;
    settings.upper[0] = 64;
    settings.lower[1] = -32;
    settings.upper[1] = 32;
    settings.lower[2] = 0;
    settings.upper[2] = 8;
    settings.position_bits = 9;
    settings.orientation_bits = 9;
    settings.velocity_bits = 5;
    settings.rung = 12;
    settings.chained = 1;
    settings.interpolation = 2;
    settings.delay_ms = 350.0;
    SnapServer *server;
    SnapClient *client;
    snap_server_new(&settings, secret, &server);
    snap_client_new(&settings, token, token_length, nonce, &client);
    good += play(server, client);
  }
  {
    SnapSettings settings;
    snap_settings(16, &settings);
    settings.tick_rate = 60;
    settings.send_rate = 60;
    settings.lower[0] = -64;
    settings.upper[0] = 64;
    settings.lower[1] = -32;
    settings.upper[1] = 32;
    settings.lower[2] = 0;
    settings.upper[2] = 8;
    settings.position_bits = 8;
    settings.orientation_bits = 9;
    settings.velocity_bits = 5;
    settings.rung = 10;
    settings.chained = 1;
    settings.interpolation = 4;
    settings.delay_ms = 62.0;
    SnapServer *server;
    SnapClient *client;
    snap_server_new(&settings, secret, &server);
    snap_client_new(&settings, token, token_length, nonce, &client);
    good += play(server, client);
  }
  return good == 4 ? 0 : 1;
}
