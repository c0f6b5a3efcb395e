// A clock that goes on while its page is hidden: browsers give hidden pages no frames, and few timers.

const TICK_MS = 1000 / 60;

setInterval(() => postMessage(0), TICK_MS);
