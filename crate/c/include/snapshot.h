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
 Error: a fault of the library. The handle may only be freed after that.
 */
#define SNAP_PANIC 1

/*
 Error: a null pointer, or a text that is not UTF-8.
 */
#define SNAP_ARGUMENT 2

/*
 Error: a buffer is too small. Nothing was taken.
 */
#define SNAP_BUFFER 3

/*
 Error: a setting has an invalid value.
 */
#define SNAP_SETTING 4

/*
 A length or count that means "nothing".
 */
#define SNAP_NOTHING 4294967295

/*
 Upper limit of an input's length, bytes.
 */
#define SNAP_INPUT_BYTES 64

/*
 Upper limit of a message's length, bytes.
 */
#define SNAP_MESSAGE_BYTES 1000

/*
 Number of the bytes that tell the server which instant a client was showing.
 */
#define SNAP_SHOWN_BYTES 19

/*
 State of a client: it has asked to join, and waits for an answer.
 */
#define SNAP_CONNECTING 0

/*
 State of a client: the server has admitted it.
 */
#define SNAP_CONNECTED 1

/*
 State of a client: the server refused it.
 */
#define SNAP_REFUSED 2

/*
 State of a client: it ended the connection.
 */
#define SNAP_CLOSED 3

/*
 State of a client: the server is full. The client asks again by itself.
 */
#define SNAP_FULL 4

/*
 Event of a client: nothing happened.
 */
#define SNAP_CLIENT_EVENT_NONE 0

/*
 Event of a client: the connection begins, or begins anew. The client has a new number.
 */
#define SNAP_CLIENT_EVENT_CONNECTED 1

/*
 Event of a client: the path carries other datagrams than before. snap_client_figures says which.
 */
#define SNAP_CLIENT_EVENT_PATH 2

/*
 Event of a client: the server runs at another tick rate than before, by more than 15 %. snap_client_figures says at which.
 */
#define SNAP_CLIENT_EVENT_TICK_RATE 3

/*
 Upper limit of the length of a refusal's words, bytes, with the zero at their end.
 */
#define SNAP_WORDS_BYTES 257

/*
 Result of a datagram: there is nothing to do.
 */
#define SNAP_TAKEN 0

/*
 Result of a datagram: send the written bytes back.
 */
#define SNAP_ANSWER 1

/*
 Result of a datagram: a client waits to be admitted or refused. The written bytes are its token.
 */
#define SNAP_JOINS 2

/*
 Interest: a client does not see an object.
 */
#define SNAP_UNSEEN 0

/*
 Interest: a client sees an object.
 */
#define SNAP_SEEN 1

/*
 Interest: a client sees an object, and receives its velocities to predict it.
 */
#define SNAP_DETAIL 2

/*
 Event: nothing happened.
 */
#define SNAP_EVENT_NONE 0

/*
 Event: the client is connected.
 */
#define SNAP_EVENT_JOINED 1

/*
 Event: the client has received the objects that it sees.
 */
#define SNAP_EVENT_PLAYING 2

/*
 Event: the client ended the connection.
 */
#define SNAP_EVENT_GOODBYE 3

/*
 Event: the client left, because the server heard nothing from it for too long.
 */
#define SNAP_EVENT_SILENCE 4

/*
 Event: the client left, because another one connected from its address.
 */
#define SNAP_EVENT_REPLACED 5

/*
 Event: the client left, because the game refused or removed it.
 */
#define SNAP_EVENT_REFUSED 6

/*
 Event: the path to the client carries other datagrams than before. snap_server_figures says which.
 */
#define SNAP_EVENT_PATH 7

/*
 Event without a client: earlier events were dropped, as too many waited. snap_server_figures fails for a player
 who left.
 */
#define SNAP_EVENT_MISSED 8

/*
 Upper limit of the number of an object's fields.
 */
#define SNAP_FIELDS_MAX 16

/*
 Length of a field's name, bytes, with the zero at its end.
 */
#define SNAP_NAME_BYTES 32

/*
 Flag: the linear velocity of an object is known.
 */
#define SNAP_VELOCITY 1

/*
 Flag: the angular velocity of an object is known.
 */
#define SNAP_ANGULAR_VELOCITY 2

/*
 A client of a server of objects.
 */
typedef struct SnapClient SnapClient;

/*
 A server of objects.
 */
typedef struct SnapServer SnapServer;

/*
 Measurements of a connection at one end. "There" is the way to the other end, "here" the way back. Rates are of the last
 second.
 */
typedef struct SnapFigures {
  /*
   Smoothed round trip, ms; not a number while it is unknown.
   */
  double round_trip_ms;
  /*
   Least round trip of the last 35 to 40 s, ms; not a number while it is unknown.
   */
  double least_round_trip_ms;
  /*
   Share of the last datagrams that were lost on the way to the other end, 0 to 1.
   */
  double lost_there;
  /*
   Share of the last datagrams that were lost on the way to this end, 0 to 1.
   */
  double lost_here;
  /*
   Number of datagrams sent in a second.
   */
  double sent_datagrams;
  /*
   Number of bytes sent in a second.
   */
  double sent_bytes;
  /*
   Number of datagrams received in a second.
   */
  double received_datagrams;
  /*
   Number of bytes received in a second.
   */
  double received_bytes;
  /*
   Playout delay of a client, ms; not a number at a server.
   */
  double delay_ms;
  /*
   Ticks from an input's arrival at the server to the tick that needs it: a client has the least of 5 s, a server the
   newest. Not a number without inputs.
   */
  double input_margin_ticks;
  /*
   At a client: number of times that play stood still.
   */
  uint64_t freezes;
  /*
   At a server: number of ticks without an input.
   */
  uint64_t missing_inputs;
  /*
   At a server: number of missing inputs that arrived within four seconds after their tick. Other missing inputs were lost.
   */
  uint64_t late_inputs;
  /*
   At a server: number of useful inputs that arrived first as a copy, in the datagram of a newer input.
   */
  uint64_t repeated_inputs;
  /*
   Size of the largest datagram that arrives at the other end, where the path carries less than `mtu`; else 0.
   */
  uint64_t path_there_bytes;
  /*
   Size of the largest datagram that arrives at this end, where the path carries less than `mtu`; else 0.
   */
  uint64_t path_here_bytes;
  /*
   Number of datagrams and of messages sent once that this end lost because the path is too small for them.
   */
  uint64_t too_large;
  /*
   At a client: the rate at which the server's ticks arrive, ticks a second; not a number while it is unknown.
   */
  double server_tick_rate;
  /*
   The rate at which an end with a budget may send bytes, kbit/s; else not a number.
   */
  double budget_kbps;
  /*
   At a client with a budget: number of objects that it sees, and of which the server knows it to have no state yet.
   */
  uint64_t missing_objects;
  /*
   Number of messages that this end refused because their queue was full.
   */
  uint64_t refused_messages;
  /*
   Number of messages to be sent once that this end refused, as their queue was full or the budget had no room for them.
   */
  uint64_t refused_says;
} SnapFigures;

/*
 An object of the game.
 */
typedef struct SnapObject {
  /*
   The object's own number. No two objects have the same number at one time.
   */
  uint32_t id;
  /*
   The game's number for the type of the object.
   */
  uint32_t kind;
  /*
   Position of the centre, m.
   */
  float position[3];
  /*
   Unit quaternion x, y, z, w.
   */
  float orientation[4];
  /*
   Linear velocity, m/s.
   */
  float velocity[3];
  /*
   Angular velocity, rad/s.
   */
  float angular_velocity[3];
  /*
   Flags of the known velocities: SNAP_VELOCITY, SNAP_ANGULAR_VELOCITY, their sum for both, or 0 for none. Rungs 0 to 3
   send the linear velocity to all clients. Other velocities are sent to clients that see the object in detail.
   */
  uint32_t velocities;
  /*
   Values of the declared fields, in the order of the settings.
   */
  uint32_t fields[SNAP_FIELDS_MAX];
  /*
   1 if the object jumped, else 0.
   */
  uint32_t teleported;
  /*
   At a client with a budget: age of the object's newest state when the newest packet left the server, ms. Elsewhere 0.
   */
  float age_ms;
} SnapObject;

/*
 A field that each object has.
 */
typedef struct SnapField {
  /*
   Name of the field; it ends with a zero.
   */
  uint8_t name[SNAP_NAME_BYTES];
  /*
   Size of the field, bits, 1 to 24.
   */
  uint32_t bits;
  /*
   1 if the field mostly changes by a small amount, else 0.
   */
  uint32_t counter;
} SnapField;

/*
 The settings that server and clients agree on. snap_settings fills them.
 */
typedef struct SnapSettings {
  /*
   Upper limit of the number of objects at a time, 1 to 4096.
   */
  uint32_t objects;
  /*
   The server's ticks a second.
   */
  uint32_t tick_rate;
  /*
   Packets a second for each client.
   */
  uint32_t send_rate;
  /*
   Lower bounds of positions, m; by default -256, -256 and 0.
   */
  int32_t lower[3];
  /*
   Upper bounds of positions, m; by default 256, 256 and 32.
   */
  int32_t upper[3];
  /*
   Number of fractional bits of a position in m.
   */
  uint32_t position_bits;
  /*
   Number of bits of an orientation's component.
   */
  uint32_t orientation_bits;
  /*
   Number of fractional bits of a velocity in m/s.
   */
  uint32_t velocity_bits;
  /*
   The encoding of snapshots, a rung 0 to 12 by FORMAT.md; 12 is arithmetic. 13 if the library was built with it.
   */
  uint32_t rung;
  /*
   1 for chained packets, 0 for strict ones.
   */
  uint32_t chained;
  /*
   Upper limit of a datagram's size, bytes: a buffer of this size is enough for any datagram.
   */
  uint32_t mtu;
  /*
   Size of an object's kind, bits, 0 to 16.
   */
  uint32_t kind_bits;
  /*
   Upper limit of the number of clients at a time.
   */
  uint32_t clients;
  /*
   Upper limit of the number of inputs in a client's datagram, 1 to 64.
   */
  uint32_t input_repeats;
  /*
   1 to send an object outside the bounds at the nearest position within; 0 to leave it out.
   */
  uint32_t clamp;
  /*
   The client's method to fill the time between two snapshots: 0 none, 1 linear, 2 slerp, 3 hermite, 4 extrapolate.
   */
  uint32_t interpolation;
  /*
   Time by which inputs should arrive before the server needs them, ms. A negative value: one tick, plus one for each further
   copy that the measured loss calls for.
   */
  double input_lead_ms;
  /*
   Budget of all datagrams to a client, 8 to 1,000,000 kbit/s with the headers of IP and UDP; a packet is one datagram then,
   with the objects that fit. A negative value: no limit, and each packet has all objects.
   */
  double budget_kbps;
  /*
   1 if a client's budget falls where its way has a queue, else 0.
   */
  uint32_t congestion_control;
  /*
   Upper limit of the datagrams of a packet with a budget, 1 to 16. It has further ones if the budget has room for full
   ones. If one of them is lost, all objects of the packet are sent again. With congestion control a packet is one.
   */
  uint32_t datagrams_a_packet;
  /*
   Budget of all datagrams of a client to the server, 8 to 1,000,000 kbit/s with the headers of IP and UDP. A negative value:
   no limit.
   */
  double upload_kbps;
  /*
   Constant playout delay, ms, counted from the fastest packets. A negative value makes the delay adapt to the network.
   */
  double delay_ms;
  /*
   For an adaptive delay: number of freezes a minute that play may have, above 0.
   */
  double freezes_per_minute;
  /*
   For an adaptive delay: greatest change of the speed of play, 0 to 0.5.
   */
  double speed_change;
  /*
   For an adaptive delay: its upper limit, ms.
   */
  double most_delay_ms;
  /*
   Number of declared fields.
   */
  uint32_t field_count;
  /*
   The declared fields; the first `field_count` count.
   */
  struct SnapField fields[SNAP_FIELDS_MAX];
} SnapSettings;

/*
 Result of processing a datagram.
 */
typedef struct SnapReceived {
  /*
   SNAP_TAKEN, SNAP_ANSWER or SNAP_JOINS.
   */
  uint32_t what;
  /*
   Number of the client that wants to join.
   */
  uint32_t peer;
} SnapReceived;

/*
 Callback that sends bytes to the address of a client.
 */
typedef void (*SnapSend)(void *user,
                         const uint8_t *address,
                         size_t address_length,
                         const uint8_t *bytes,
                         size_t length);

/*
 Callback that returns how a client sees an object: SNAP_UNSEEN, SNAP_SEEN or SNAP_DETAIL. It may change `*priority` from 1.

 Priorities count where the client has a budget: of two objects the one goes first whose priority, times the time since it
 was sent, is greater. INFINITY goes before all.
 */
typedef uint32_t (*SnapSees)(void *user, uint32_t peer, uint32_t id, float *priority);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Returns the text of the error with this number. It is never freed.
 */
const char *snap_error_name(uint32_t number);

/*
 Writes the next tick for which the game must give an input; 0 if none is due. Call it at each frame until it writes 0.

 # Safety
 All pointers are valid.
 */
uint32_t snap_client_next_input(struct SnapClient *client,
                                double now_ms,
                                uint64_t *tick);

/*
 Takes the player's input for a tick that was due: at most SNAP_INPUT_BYTES. The client sends it repeatedly until the
 server has it.

 # Safety
 All pointers are valid, and `bytes` has the given length.
 */
uint32_t snap_client_input(struct SnapClient *client,
                           uint64_t tick,
                           const uint8_t *bytes,
                           size_t length);

/*
 Writes a client's input for a tick; a length of SNAP_NOTHING if it is missing. Ask for each tick in order, before
 snap_server_tick. `bytes` must have room for SNAP_INPUT_BYTES, and `*length` must say so.

 # Safety
 All pointers are valid, and `bytes` has room for `*length` bytes.
 */
uint32_t snap_server_input(struct SnapServer *server,
                           uint32_t peer,
                           uint64_t tick,
                           uint8_t *bytes,
                           size_t *length);

/*
 Sends a message to the server, of at most SNAP_MESSAGE_BYTES: reliably and in order or, with `once`, a single time, so
 that it may be lost.

 # Safety
 All pointers are valid, and `bytes` has the given length.
 */
uint32_t snap_client_message(struct SnapClient *client,
                             const uint8_t *bytes,
                             size_t length,
                             uint32_t once);

/*
 Writes the server's next message; a length of SNAP_NOTHING if there is none. `bytes` must have room for
 SNAP_MESSAGE_BYTES, and `*length` must say so.

 # Safety
 All pointers are valid, and `bytes` has room for `*length` bytes.
 */
uint32_t snap_client_next_message(struct SnapClient *client,
                                  uint8_t *bytes,
                                  size_t *length);

/*
 Sends a message to a client, as snap_client_message does to the server.

 # Safety
 All pointers are valid, and `bytes` has the given length.
 */
uint32_t snap_server_message(struct SnapServer *server,
                             uint32_t peer,
                             const uint8_t *bytes,
                             size_t length,
                             uint32_t once);

/*
 Writes the next message of a client, and the client's number; a length of SNAP_NOTHING if there is none. `bytes` must have
 room for SNAP_MESSAGE_BYTES, and `*length` must say so.

 # Safety
 All pointers are valid, and `bytes` has room for `*length` bytes.
 */
uint32_t snap_server_next_message(struct SnapServer *server,
                                  uint32_t *peer,
                                  uint8_t *bytes,
                                  size_t *length);

/*
 Writes the measurements of a client's connection.

 # Safety
 All pointers are valid.
 */
uint32_t snap_client_figures(const struct SnapClient *client, struct SnapFigures *figures);

/*
 Writes the measurements of the connection to a client; zeros if there is no such client.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_figures(const struct SnapServer *server,
                             uint32_t peer,
                             struct SnapFigures *figures);

/*
 Writes the ids of the objects that appeared, and of those that ended, with the last snap_client_show. Both lists must have
 room for as many ids as the settings have objects, and the counts must say so.

 # Safety
 All pointers are valid, and both lists have room for as many ids as the counts say.
 */
uint32_t snap_client_changes(const struct SnapClient *client,
                             uint32_t *appeared,
                             size_t *appeared_count,
                             uint32_t *ended,
                             size_t *ended_count);

/*
 Writes the ids of the objects that appeared, and of those that ended, in the last tick. Both lists must have room for as
 many ids as the settings have objects, and the counts must say so.

 # Safety
 All pointers are valid, and both lists have room for as many ids as the counts say.
 */
uint32_t snap_server_changes(const struct SnapServer *server,
                             uint32_t *appeared,
                             size_t *appeared_count,
                             uint32_t *ended,
                             size_t *ended_count);

/*
 Returns the number that the server gave this client; 0 while it is not connected, and for null.

 # Safety
 The client is valid, or null.
 */
uint32_t snap_client_peer(const struct SnapClient *client);

/*
 Returns the number of the client at an address; 0 if there is none.

 # Safety
 The server is valid, or null; the address has the given length.
 */
uint32_t snap_server_peer(const struct SnapServer *server,
                          const uint8_t *address,
                          size_t address_length);

/*
 Writes SNAP_SHOWN_BYTES that name the instant which snap_client_show showed last; zeros before the first. A client that
 shoots sends them in its input.

 # Safety
 The client is valid, and `shown` has room for SNAP_SHOWN_BYTES.
 */
uint32_t snap_client_shown(const struct SnapClient *client,
                           uint8_t *shown);

/*
 Writes the objects as a client drew them, exact to the bit, by the SNAP_SHOWN_BYTES of that client; a count of
 SNAP_NOTHING after 1.5 s. `objects` must have room for as many as the settings have, and `*count` must say so.

 # Safety
 All pointers are valid, and `objects` has room for `*count` objects.
 */
uint32_t snap_server_seen(const struct SnapServer *server,
                          uint32_t peer,
                          const uint8_t *shown,
                          struct SnapObject *objects,
                          size_t *count);

/*
 Makes a client. The nonce must be random.

 # Safety
 All pointers are valid; the token has the given length.
 */
uint32_t snap_client_new(const struct SnapSettings *settings,
                         const uint8_t *token,
                         size_t token_length,
                         uint64_t nonce,
                         struct SnapClient **client);

/*
 Frees a client; does nothing for null.

 # Safety
 The client came from snap_client_new, and is not used again.
 */
void snap_client_free(struct SnapClient *client);

/*
 Processes a datagram. Returns 0, or the number of the error if it is refused; nothing changes then.

 # Safety
 All pointers are valid, and `bytes` has the given length.
 */
uint32_t snap_client_receive(struct SnapClient *client,
                             double now_ms,
                             const uint8_t *bytes,
                             size_t length);

/*
 Writes the next datagram that is due; a length of 0 if none is. `bytes` must have room for `mtu` bytes, and `*length` must
 say so.

 # Safety
 All pointers are valid, and `bytes` has room for `*length` bytes.
 */
uint32_t snap_client_send(struct SnapClient *client,
                          double now_ms,
                          uint8_t *bytes,
                          size_t *length);

/*
 Writes the objects to draw now. `objects` must have room for as many as the settings have, and `*count` must say so; it
 becomes the number of objects.

 # Safety
 All pointers are valid, and `objects` has room for `*count` objects.
 */
uint32_t snap_client_show(struct SnapClient *client,
                          double now_ms,
                          struct SnapObject *objects,
                          size_t *count);

/*
 Writes tick and objects of the newest snapshot, for games that predict from it; no object before the first. `objects` must
 have room for as many as the settings have, and `*count` must say so; it becomes the number of objects.

 # Safety
 All pointers are valid, and `objects` has room for `*count` objects.
 */
uint32_t snap_client_newest(struct SnapClient *client,
                            uint64_t *tick,
                            struct SnapObject *objects,
                            size_t *count);

/*
 Makes the next snap_client_show show the newest possible instant, if play lags behind: for use after a menu or a loading
 screen.

 # Safety
 The client is valid.
 */
uint32_t snap_client_go_live(struct SnapClient *client);

/*
 Returns the server's time that snap_client_show showed last, in ticks; below 0 before the first, and for null.

 # Safety
 The client is valid, or null.
 */
double snap_client_shown_tick(const struct SnapClient *client);

/*
 Returns the state of the connection, such as SNAP_CONNECTED; SNAP_CLOSED for null.

 # Safety
 The client is valid, or null.
 */
uint32_t snap_client_status(const struct SnapClient *client);

/*
 Returns the number of the next change of the connection, such as SNAP_CLIENT_EVENT_CONNECTED. Call it until it returns
 SNAP_CLIENT_EVENT_NONE, which it also does for null.

 # Safety
 The client is valid, or null.
 */
uint32_t snap_client_next_event(struct SnapClient *client);

/*
 Writes why the client was refused: the game's words, or else the reason. They end with a zero; they are empty if the
 client was not refused. `words` must have room for SNAP_WORDS_BYTES.

 # Safety
 The client is valid, and `words` has room for SNAP_WORDS_BYTES.
 */
uint32_t snap_client_refusal(const struct SnapClient *client,
                             char *words);

/*
 Ends the connection, and writes a datagram that tells the server; a length of 0 if there is no connection. `bytes` must
 have room for `mtu` bytes, and `*length` must say so.

 # Safety
 All pointers are valid, and `bytes` has room for `*length` bytes.
 */
uint32_t snap_client_goodbye(struct SnapClient *client,
                             uint8_t *bytes,
                             size_t *length);

/*
 Makes a client as snap_client_new does, which records all that it is given, in up to `bytes_max` bytes. Tokens, messages and
 words are zeros in the recording.

 # Safety
 All pointers are valid; the token has the given length.
 */
uint32_t snap_client_new_recorded(const struct SnapSettings *settings,
                                  const uint8_t *token,
                                  size_t token_length,
                                  uint64_t nonce,
                                  size_t bytes_max,
                                  struct SnapClient **client);

/*
 Points `*bytes` to the recording so far, and sets `*length`. Write it to a file for `snapshot-lab replay`. The bytes are
 valid until the next call with this client. A client that does not record has a length of 0.

 # Safety
 All pointers are valid.
 */
uint32_t snap_client_recording(const struct SnapClient *client,
                               const uint8_t **bytes,
                               size_t *length);

/*
 Makes a server. The secret has 16 random bytes, new ones each time.

 # Safety
 All pointers are valid; the secret has 16 bytes.
 */
uint32_t snap_server_new(const struct SnapSettings *settings,
                         const uint8_t *secret,
                         struct SnapServer **server);

/*
 Frees a server; does nothing for null.

 # Safety
 The server came from snap_server_new, and is not used again.
 */
void snap_server_free(struct SnapServer *server);

/*
 Processes a datagram. Returns 0, or the number of the error if it is refused; nothing changes then. `bytes_out` must have
 room for `mtu` bytes, and `*length_out` must say so; it becomes the number of written bytes.

 # Safety
 All pointers are valid, and all buffers have the given lengths.
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
 Processes a datagram as snap_server_receive does. `host` points to a number that all addresses of a host have in common,
 such as an IPv4 address, or the first half of an IPv6 address: at most eight clients of a host wait to be admitted, so one
 host keeps nobody else out. It may be null.

 # Safety
 All pointers but `host` are valid, and all buffers have the given lengths.
 */
uint32_t snap_server_receive_from_host(struct SnapServer *server,
                                       double now_ms,
                                       const uint8_t *address,
                                       size_t address_length,
                                       const uint64_t *host,
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
 Refuses a waiting client, or removes a playing one; it is told these words.

 # Safety
 The server is valid, and the words end with a zero.
 */
uint32_t snap_server_refuse(struct SnapServer *server, uint32_t peer, const char *why);

/*
 Writes the next event of an admitted client: the client's number, and a SNAP_EVENT number. Call it until that is
 SNAP_EVENT_NONE.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_next_event(struct SnapServer *server,
                                uint32_t *peer,
                                uint32_t *event);

/*
 Returns the number of connected clients; 0 for null.

 # Safety
 The server is valid, or null.
 */
size_t snap_server_peers(const struct SnapServer *server);

/*
 Sets a client's budget, 8 to 1,000,000 kbit/s with the headers of IP and UDP; a negative value for none. Any other value is
 refused.

 # Safety
 The server is valid, or null.
 */
uint32_t snap_server_set_budget(struct SnapServer *server,
                                uint32_t peer,
                                double kbps);

/*
 Takes the objects of a tick, and sends the datagrams that are due. Without `sees` all clients see all objects. The
 callbacks must not call the server. Objects that cannot be sent are left out: snap_server_left_out names them.

 # Safety
 All pointers are valid, and `objects` has the given number; callbacks do not unwind.
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
 Writes the id of an object that the last tick left out, and the number of the reason; 0 if `index` is too large. `index`
 counts from 0.

 # Safety
 All pointers are valid.
 */
uint32_t snap_server_left_out(const struct SnapServer *server,
                              size_t index,
                              uint32_t *id,
                              uint32_t *why);

/*
 Fills settings with defaults for that many objects, without fields.

 # Safety
 `settings` points to settings; they need not be initialised.
 */
uint32_t snap_settings(uint32_t objects, struct SnapSettings *settings);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SNAPSHOT_H */
