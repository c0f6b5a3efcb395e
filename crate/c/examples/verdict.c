/* The lines that the laboratory's verdict gives for its settings, compiled and run: snapshot-analysis holds them to these. */
#include "snapshot.h"
#include <string.h>

typedef struct { SnapClient *client; double now_ms; } Link;

static void to_client(void *user, const uint8_t *address, size_t address_length, const uint8_t *bytes, size_t length) {
  Link *link = user;
  (void)address, (void)address_length;
  (void)snap_client_receive(link->client, link->now_ms, bytes, length);
}

/* Two seconds without a network: 1 if the client shows the server's object. */
static int play(SnapServer *server, SnapClient *client) {
  SnapObject object, shown[16];
  Link link = {client, 0.0};
  size_t count = 0;
  memset(&object, 0, sizeof object);
  object.id = 501;
  object.orientation[3] = 1.0f;
  for (uint64_t tick = 1; tick <= 120; tick++) {
    uint8_t bytes[1200], answer[1200];
    size_t length = sizeof bytes;
    link.now_ms = (double)tick * 1000.0 / 60.0;
    while (snap_client_send(client, link.now_ms, bytes, &length) == SNAP_OK && length > 0) {
      SnapReceived received;
      size_t answer_length = sizeof answer;
      if (snap_server_receive(server, link.now_ms, (const uint8_t *)"a", 1, bytes, length, &received, answer, &answer_length) == SNAP_OK) {
        if (received.what == SNAP_JOINS) snap_server_admit(server, received.peer);
        if (received.what == SNAP_ANSWER) to_client(&link, NULL, 0, answer, answer_length);
      }
      length = sizeof bytes;
    }
    object.position[0] = (float)tick / 60.0f;
    if (snap_server_tick(server, tick, &object, 1, to_client, NULL, &link) != SNAP_OK) return 0;
    count = 16;
    if (snap_client_show(client, link.now_ms, shown, &count) != SNAP_OK) return 0;
  }
  snap_client_free(client);
  snap_server_free(server);
  return count == 1 && shown[0].id == 501;
}

int main(void) {
  static const uint8_t secret[16] = {1}, token[] = "a ticket";
  const size_t token_length = 8;
  const uint64_t nonce = 42;
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
