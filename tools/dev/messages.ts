// Messages between `pergola dev` and its server process.

/** From the server: it accepts connections. */
export const READY = 'ready';
/** From the server, repeatedly: it isn't stuck. */
export const ALIVE = 'alive';
/** To the server, with the socket of a new connection. */
export const CONNECTION = 'connection';
/** Exit code of a server that needs a new process because platform code changed. */
export const FRESH_PROCESS = 75;
