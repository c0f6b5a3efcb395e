// The same with the wasm module inside, for those who can serve no file beside.

import { Client, errorName, init as load, Server } from './index.js';
import base64 from './wasm/base64.js';

export { Client, errorName, Server };

/** Loads the wasm module once. All else waits for it. */
export const init = () => load(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

export default init;
