//! Times of packets, ticks and servers: the benches are beside this file.
