/* Made by cbindgen from crate/c/src: HEADER=write cargo test. */

#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 Success.
 */
#define SNAP_OK 0

/*
 A fault of the library. The handle is not to be used again, but for freeing it.
 */
#define SNAP_PANIC 1

/*
 A null pointer, or a text that is not UTF-8.
 */
#define SNAP_ARGUMENT 2

/*
 A buffer that is too small. Nothing was taken.
 */
#define SNAP_BUFFER 3

/*
 A setting that is none of its values.
 */
#define SNAP_SETTING 4

/*
 A length or count that says that there is nothing.
 */
#define SNAP_NOTHING 4294967295

/*
 Most bytes of an input.
 */
#define SNAP_INPUT_BYTES 64

/*
 Most bytes of a message.
 */
#define SNAP_MESSAGE_BYTES 1000

/*
 Length of the bytes that tell the server which instant a client was showing.
 */
#define SNAP_SHOWN_BYTES 19

/*
 It asks the server.
 */
#define SNAP_CONNECTING 0

/*
 The server has admitted it.
 */
#define SNAP_CONNECTED 1

/*
 The server refused it.
 */
#define SNAP_REFUSED 2

/*
 It said goodbye.
 */
#define SNAP_CLOSED 3

/*
 The server has no room. The client asks again by itself.
 */
#define SNAP_FULL 4

/*
 Bytes of a refusal's words, with the zero at their end.
 */
#define SNAP_WORDS_BYTES 257

/*
 Nothing is to be done.
 */
#define SNAP_TAKEN 0

/*
 The bytes given are to be sent back.
 */
#define SNAP_ANSWER 1

/*
 A client waits to be admitted or refused. The bytes given are its token.
 */
#define SNAP_JOINS 2

/*
 A client does not see an object.
 */
#define SNAP_UNSEEN 0

/*
 A client sees an object.
 */
#define SNAP_SEEN 1

/*
 A client sees an object, and gets its velocities to predict it.
 */
#define SNAP_DETAIL 2

/*
 Nothing happened.
 */
#define SNAP_EVENT_NONE 0

/*
 The client is connected.
 */
#define SNAP_EVENT_JOINED 1

/*
 The client has the objects that it sees.
 */
#define SNAP_EVENT_PLAYING 2

/*
 The client said goodbye, and is gone.
 */
#define SNAP_EVENT_GOODBYE 3

/*
 The client was silent for too long, and is gone.
 */
#define SNAP_EVENT_SILENCE 4

/*
 The client connected again from the same address: this one is gone.
 */
#define SNAP_EVENT_REPLACED 5

/*
 The game refused the client, and it is gone.
 */
#define SNAP_EVENT_REFUSED 6

/*
 Most fields of an object.
 */
#define SNAP_FIELDS_MAX 16

/*
 Bytes of a field's name, with the zero at its end.
 */
#define SNAP_NAME_BYTES 32

/*
 The velocity of an object is known.
 */
#define SNAP_VELOCITY 1

/*
 The angular velocity of an object is known.
 */
#define SNAP_ANGULAR_VELOCITY 2

/*
 A client.
 */
typedef struct SnapClient SnapClient;

/*
 A server of objects.
 */
typedef struct SnapServer SnapServer;

/*
 A connection as one end measures it. There is the way to the other end, here the way back. Rates are of the last second.
 */
typedef struct SnapFigures {
  /*
   Smoothed, ms; not a number where it is not known.
   */
  double round_trip_ms;
  /*
   The least, ms; not a number where it is not known.
   */
  double least_round_trip_ms;
  /*
   Share of the last datagrams that were lost.
   */
  double lost_there;
  /*
   Share of the last datagrams that were lost.
   */
  double lost_here;
  /*
   Datagrams a second.
   */
  double sent_datagrams;
  /*
   Bytes a second.
   */
  double sent_bytes;
  /*
   Datagrams a second.
   */
  double received_datagrams;
  /*
   Bytes a second.
   */
  double received_bytes;
  /*
   Playout delay of a client, ms; not a number at a server.
   */
  double delay_ms;
  /*
   Ticks from an input's arrival to its need: at a client the least of 5 s, at a server the last. Not a number without inputs.
   */
  double input_margin_ticks;
  /*
   Number of times that play stood still, at a client.
   */
  uint64_t freezes;
  /*
   Ticks for which a server had no input.
   */
  uint64_t missing_inputs;
  /*
   Missing inputs that came within a second after their tick. The other missing ones were lost.
   */
  uint64_t late_inputs;
  /*
   Inputs of use that came first as a copy, in the datagram of a newer one.
   */
  uint64_t repeated_inputs;
} SnapFigures;

/*
 An object.
 */
typedef struct SnapObject {
  /*
   No two objects have the same at a time.
   */
  uint32_t id;
  /*
   The game's number of what it is.
   */
  uint32_t kind;
  /*
   Centre, m.
   */
  float position[3];
  /*
   Unit quaternion x, y, z, w.
   */
  float orientation[4];
  /*
   m/s.
   */
  float velocity[3];
  /*
   rad/s.
   */
  float angular_velocity[3];
  /*
   Which of both is known: SNAP_VELOCITY, SNAP_ANGULAR_VELOCITY, their sum, or 0. Rungs 0 to 3 send the first to all clients,
   the others none but to a client that sees the object in detail.
   */
  uint32_t velocities;
  /*
   In the order of the settings.
   */
  uint32_t fields[SNAP_FIELDS_MAX];
  /*
   1 where it jumped.
   */
  uint32_t teleported;
} SnapObject;

/*
 A field that each object has.
 */
typedef struct SnapField {
  /*
   Its name, which ends with a zero.
   */
  uint8_t name[SNAP_NAME_BYTES];
  /*
   1 to 24.
   */
  uint32_t bits;
  /*
   1 where it mostly changes by a little, else 0.
   */
  uint32_t counter;
} SnapField;

/*
 The settings that server and clients agree on. snap_settings fills them.
 */
typedef struct SnapSettings {
  /*
   Most objects at a time, 1 to 4096.
   */
  uint32_t objects;
  /*
   Ticks a second.
   */
  uint32_t tick_rate;
  /*
   Packets a second for each client.
   */
  uint32_t send_rate;
  /*
   Bounds of positions, m: -256, -256 and 0.
   */
  int32_t lower[3];
  /*
   Bounds of positions, m: 256, 256 and 32.
   */
  int32_t upper[3];
  /*
   Fractional bits of a position.
   */
  uint32_t position_bits;
  /*
   Bits of an orientation's component.
   */
  uint32_t orientation_bits;
  /*
   Fractional bits of a velocity.
   */
  uint32_t velocity_bits;
  /*
   The encoding, 0 to 12, as FORMAT.md numbers them; 12 is arithmetic. 13 where the library has it.
   */
  uint32_t rung;
  /*
   1 for chained packets, 0 for strict ones.
   */
  uint32_t chained;
  /*
   Most bytes of a datagram: no buffer of one needs more.
   */
  uint32_t mtu;
  /*
   Bits of a kind, 0 to 16.
   */
  uint32_t kind_bits;
  /*
   Most clients at a time.
   */
  uint32_t clients;
  /*
   1 where an object outside the bounds is sent at the nearest place within; 0 where it is left out.
   */
  uint32_t clamp;
  /*
   The client's way to fill the time between two snapshots: 0 none, 1 linear, 2 slerp, 3 hermite, 4 extrapolate.
   */
  uint32_t interpolation;
  /*
   Playout delay, ms, counted from the arrival of the client's first packet. A negative one adapts to the network.
   */
  double delay_ms;
  /*
   Without a constant delay: number of times in a minute that play may stand still, above 0.
   */
  double freezes_per_minute;
  /*
   Without a constant delay: greatest change of the speed of play, 0 to 0.5.
   */
  double speed_change;
  /*
   Without a constant delay: the greatest one, ms.
   */
  double most_delay_ms;
  /*
   Number of the fields.
   */
  uint32_t field_count;
  /*
   The fields.
   */
  struct SnapField fields[SNAP_FIELDS_MAX];
} SnapSettings;

/*
 The outcome of a datagram.
 */
typedef struct SnapReceived {
  /*
   SNAP_TAKEN, SNAP_ANSWER or SNAP_JOINS.
   */
  uint32_t what;
  /*
   The client that joins.
   */
  uint32_t peer;
} SnapReceived;

/*
 Sends bytes to the address of a client.
 */
typedef void (*SnapSend)(void *user,
                         const uint8_t *address,
                         size_t address_length,
                         const uint8_t *bytes,
                         size_t length);

/*
 Says how a client sees an object: SNAP_UNSEEN, SNAP_SEEN or SNAP_DETAIL.
 */
typedef uint32_t (*SnapSees)(void *user, uint32_t peer, uint32_t id);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The name of an error's number. It lives for ever.
 */
const char *snap_error_name(uint32_t number);

/*
 Gives the next tick for which the game is to give an input; 0 where none is due. To be called at each frame until then.

 # Safety
 All pointers are valid.
 */
uint32_t snap_client_next_input(struct SnapClient *client,
                                double now_ms,
                                uint64_t *tick);

/*
 Takes the player's input for a tick that was due: at most SNAP_INPUT_BYTES. It is repeated until the server has it.

 # Safety
 All pointers are valid, with so many bytes.
 */
uint32_t snap_client_input(struct SnapClient *client,
                           uint64_t tick,
                           const uint8_t *bytes,
                           size_t length);

/*
 Gives a client's input for a tick; a length of SNAP_NOTHING where it is missing. To be asked for each tick in order, before
 snap_server_tick. `bytes` has room for SNAP_INPUT_BYTES, which `*length` says.

 # Safety
 All pointers are valid, with room for so many bytes.
 */
uint32_t snap_server_input(struct SnapServer *server,
                           uint32_t peer,
                           uint64_t tick,
                           uint8_t *bytes,
                           size_t *length);

/*
 Sends a message to the server, of at most SNAP_MESSAGE_BYTES: once and in order, or with `once` one time, so that it may be
 lost.

 # Safety
 All pointers are valid, with so many bytes.
 */
uint32_t snap_client_message(struct SnapClient *client,
                             const uint8_t *bytes,
                             size_t length,
                             uint32_t once);

/*
 Gives the server's next message; a length of SNAP_NOTHING where there is none. `bytes` has room for SNAP_MESSAGE_BYTES, which
 `*length` says.

 # Safety
 All pointers are valid, with room for so many bytes.
 */
uint32_t snap_client_next_message(struct SnapClient *client,
                                  uint8_t *bytes,
                                  size_t *length);

/*
 Sends a message to a client, as snap_client_message does to the server.

 # Safety
 All pointers are valid, with so many bytes.
 */
uint32_t snap_server_message(struct SnapServer *server,
                             uint32_t peer,
                             const uint8_t *bytes,
                             size_t length,
                             uint32_t once);

/*
 Gives the next message of a client, and whose it is; a length of SNAP_NOTHING where there is none. `bytes` has room for
 SNAP_MESSAGE_BYTES, which `*length` says.

 # Safety
 All pointers are valid, with room for so many bytes.
 */
uint32_t snap_server_next_message(struct SnapServer *server,
                                  uint32_t *peer,
                                  uint8_t *bytes,
                                  size_t *length);

/*
 Gives the figures of a client's connection.

 # Safety
 All pointers are valid.
 */
uint32_t snap_client_figures(const struct SnapClient *client, struct SnapFigures *figures);

/*
 Gives the figures of the connection to a client; zeros for another one.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_figures(const struct SnapServer *server,
                             uint32_t peer,
                             struct SnapFigures *figures);

/*
 Gives ids of the objects that came or went with the last snap_client_show. Both lists have room for the settings' number,
 which the counts say.

 # Safety
 All pointers are valid, with room for so many ids.
 */
uint32_t snap_client_changes(const struct SnapClient *client,
                             uint32_t *appeared,
                             size_t *appeared_count,
                             uint32_t *ended,
                             size_t *ended_count);

/*
 Gives ids of the objects that came or went in the last tick. Both lists have room for the settings' number, which the counts
 say.

 # Safety
 All pointers are valid, with room for so many ids.
 */
uint32_t snap_server_changes(const struct SnapServer *server,
                             uint32_t *appeared,
                             size_t *appeared_count,
                             uint32_t *ended,
                             size_t *ended_count);

/*
 The client's own number; 0 while it is not connected, and for null.

 # Safety
 The client is valid, or null.
 */
uint32_t snap_client_peer(const struct SnapClient *client);

/*
 The client of an address; 0 where there is none.

 # Safety
 The server is valid, or null; the address has so many bytes.
 */
uint32_t snap_server_peer(const struct SnapServer *server,
                          const uint8_t *address,
                          size_t address_length);

/*
 Gives SNAP_SHOWN_BYTES that tell the instant which snap_client_show gave last; zeros before the first. A client that shoots
 sends them in its input.

 # Safety
 The client is valid, and there is room for so many bytes.
 */
uint32_t snap_client_shown(const struct SnapClient *client,
                           uint8_t *shown);

/*
 Gives the objects as a client drew them, to the bit, by the SNAP_SHOWN_BYTES of that client; a count of SNAP_NOTHING after 1.5
 s. `objects` has room for the settings' number, which `*count` says.

 # Safety
 All pointers are valid, with room for so many objects.
 */
uint32_t snap_server_seen(const struct SnapServer *server,
                          uint32_t peer,
                          const uint8_t *shown,
                          struct SnapObject *objects,
                          size_t *count);

/*
 Makes a client. The nonce is random.

 # Safety
 All pointers are valid; the token has so many bytes.
 */
uint32_t snap_client_new(const struct SnapSettings *settings,
                         const uint8_t *token,
                         size_t token_length,
                         uint64_t nonce,
                         struct SnapClient **client);

/*
 Frees a client; null is nothing.

 # Safety
 It came from snap_client_new, and is not used again.
 */
void snap_client_free(struct SnapClient *client);

/*
 Takes a datagram. A number other than 0 is of its refusal; nothing changed then.

 # Safety
 All pointers are valid, with so many bytes.
 */
uint32_t snap_client_receive(struct SnapClient *client,
                             double now_ms,
                             const uint8_t *bytes,
                             size_t length);

/*
 Gives the next datagram that is due; a length of 0 says that none is. `bytes` has room for mtu bytes, which `*length` says.

 # Safety
 All pointers are valid, with room for so many bytes.
 */
uint32_t snap_client_send(struct SnapClient *client,
                          double now_ms,
                          uint8_t *bytes,
                          size_t *length);

/*
 Gives the objects to draw now. `objects` has room for the settings' number, which `*count` says; it becomes theirs.

 # Safety
 All pointers are valid, with room for so many objects.
 */
uint32_t snap_client_show(struct SnapClient *client,
                          double now_ms,
                          struct SnapObject *objects,
                          size_t *count);

/*
 Gives tick and objects of the newest snapshot, for games that predict from there; no object before the first. `objects` has
 room for the settings' number, which `*count` says; it becomes theirs.

 # Safety
 All pointers are valid, with room for so many objects.
 */
uint32_t snap_client_newest(struct SnapClient *client,
                            uint64_t *tick,
                            struct SnapObject *objects,
                            size_t *count);

/*
 Has the next snap_client_show show the newest that can be shown: after a menu, or a loading screen.

 # Safety
 The client is valid.
 */
uint32_t snap_client_go_live(struct SnapClient *client);

/*
 The instant of the server that snap_client_show gave last, in ticks; below 0 before the first, and for null.

 # Safety
 The client is valid, or null.
 */
double snap_client_shown_tick(const struct SnapClient *client);

/*
 The state of the connection; SNAP_CLOSED for null.

 # Safety
 The client is valid, or null.
 */
uint32_t snap_client_status(const struct SnapClient *client);

/*
 Gives the words of the refusal: the game's, or else the reason. They end with a zero. They are empty where the client is not
 refused. `words` has room for SNAP_WORDS_BYTES.

 # Safety
 The client is valid, and there is room for so many bytes.
 */
uint32_t snap_client_refusal(const struct SnapClient *client,
                             char *words);

/*
 Ends the connection, and gives a datagram that tells the server; a length of 0 where there is no connection. `bytes` has room
 for mtu bytes, which `*length` says.

 # Safety
 All pointers are valid, with room for so many bytes.
 */
uint32_t snap_client_goodbye(struct SnapClient *client,
                             uint8_t *bytes,
                             size_t *length);

/*
 Makes a server. The secret has 16 random bytes, others each time.

 # Safety
 All pointers are valid; the secret has 16 bytes.
 */
uint32_t snap_server_new(const struct SnapSettings *settings,
                         const uint8_t *secret,
                         struct SnapServer **server);

/*
 Frees a server; null is nothing.

 # Safety
 It came from snap_server_new, and is not used again.
 */
void snap_server_free(struct SnapServer *server);

/*
 Takes a datagram. A number other than 0 is of its refusal; nothing changed then. `bytes_out` has room for mtu bytes, which
 `*length_out` says; it becomes the number of bytes given.

 # Safety
 All pointers are valid, with so many bytes.
 */
uint32_t snap_server_receive(struct SnapServer *server,
                             double now_ms,
                             const uint8_t *address,
                             size_t address_length,
                             const uint8_t *bytes,
                             size_t length,
                             struct SnapReceived *received,
                             uint8_t *bytes_out,
                             size_t *length_out);

/*
 Admits a client that waits to join, by its peer number. Returns 0 or the number of an error.

 # Safety
 The server is valid.
 */
uint32_t snap_server_admit(struct SnapServer *server, uint32_t peer);

/*
 Refuses a client that waits, or throws out one that plays, with words.

 # Safety
 The server is valid, and the words end with a zero.
 */
uint32_t snap_server_refuse(struct SnapServer *server, uint32_t peer, const char *why);

/*
 Gives the next event of the admitted clients: whose, and a SNAP_EVENT number. To be called until that is SNAP_EVENT_NONE.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_next_event(struct SnapServer *server,
                                uint32_t *peer,
                                uint32_t *event);

/*
 Number of connected clients; 0 for null.

 # Safety
 The server is valid, or null.
 */
size_t snap_server_peers(const struct SnapServer *server);

/*
 Takes the objects of a tick, and sends what is due. Without `sees` all clients see all objects. The callbacks must not call
 the server. Objects that cannot be sent are left out: snap_server_left_out names them.

 # Safety
 All pointers are valid, with so many objects; callbacks do not unwind.
 */
uint32_t snap_server_tick(struct SnapServer *server,
                          double now_ms,
                          uint64_t tick,
                          const struct SnapObject *objects,
                          size_t count,
                          SnapSend send,
                          SnapSees sees,
                          void *user);

/*
 Gives an object that the last tick left out, and the number of the reason; 0 where there are not so many. `index` counts
 from 0.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_left_out(const struct SnapServer *server,
                              size_t index,
                              uint32_t *id,
                              uint32_t *why);

/*
 Fills settings for that many objects, without fields.

 # Safety
 `settings` points to settings, of which nothing need be set.
 */
uint32_t snap_settings(uint32_t objects, struct SnapSettings *settings);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SNAPSHOT_H */
