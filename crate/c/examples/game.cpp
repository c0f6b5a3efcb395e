// Handles in C++: they free themselves.
#include "snapshot.h"
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

struct Free {
  void operator()(SnapServer *server) const { snap_server_free(server); }
  void operator()(SnapClient *client) const { snap_client_free(client); }
};

static SnapObject at(float x) {
  SnapObject object{};
  object.id = 7;
  object.position[0] = x;
  object.orientation[3] = 1.0f;
  return object;
}

int main() {
  const std::vector<std::uint8_t> secret(16, 1);
  SnapSettings settings{};
  SnapServer *made_server = nullptr;
  SnapClient *made_client = nullptr;
  if (snap_settings(4, &settings) != SNAP_OK) return 1;
  if (snap_server_new(&settings, secret.data(), &made_server) != SNAP_OK) return 1;
  const std::unique_ptr<SnapServer, Free> server(made_server);
  if (snap_client_new(&settings, nullptr, 0, 42, &made_client) != SNAP_OK) return 1;
  const std::unique_ptr<SnapClient, Free> client(made_client);
  std::vector<std::uint8_t> bytes(settings.mtu), answer(settings.mtu);
  std::vector<SnapObject> shown(settings.objects);
  std::size_t count = 0;
  for (std::uint64_t tick = 1; tick <= 120; ++tick) {
    const double now_ms = static_cast<double>(tick) * 1000.0 / 60.0;
    for (;;) {
      std::size_t length = bytes.size(), answer_length = answer.size();
      if (snap_client_send(client.get(), now_ms, bytes.data(), &length) != SNAP_OK || length == 0) break;
      SnapReceived received{};
      const std::uint8_t address = 1;
      if (snap_server_receive(server.get(), now_ms, &address, 1, bytes.data(), length, &received, answer.data(), &answer_length) != SNAP_OK) continue;
      if (received.what == SNAP_JOINS) snap_server_admit(server.get(), received.peer);
      if (received.what == SNAP_ANSWER) snap_client_receive(client.get(), now_ms, answer.data(), answer_length);
    }
    struct Out { SnapClient *client; double now_ms; } out{client.get(), now_ms};
    const auto send = [](void *user, const std::uint8_t *, std::size_t, const std::uint8_t *data, std::size_t length) {
      const auto *to = static_cast<Out *>(user);
      snap_client_receive(to->client, to->now_ms, data, length);
    };
    const SnapObject object = at(static_cast<float>(tick) / 60.0f);
    if (snap_server_tick(server.get(), now_ms, tick, &object, 1, send, nullptr, &out) != SNAP_OK) return 1;
    count = shown.size();
    if (snap_client_show(client.get(), now_ms, shown.data(), &count) != SNAP_OK) return 1;
  }
  // A null pointer is refused with a number.
  const SnapObject far = at(1e6f);
  const bool refused = snap_server_tick(server.get(), 9000.0, 500, &far, 1, nullptr, nullptr, nullptr) == SNAP_ARGUMENT;
  if (count == 1) std::cout << shown[0].id << " at " << shown[0].position[0] << '\n';
  return count == 1 && shown[0].id == 7 && shown[0].position[0] > 1.0f && refused ? 0 : 1;
}
