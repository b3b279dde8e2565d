// What `pergola dev` and the process that serves for it say to each other.

/** From the server: it can take connections. */
export const READY = 'ready';
/** From the server, again and again: it is not stuck. */
export const ALIVE = 'alive';
/** To the server, with a socket: somebody has connected. */
export const CONNECTION = 'connection';
/** The exit code of a server that asks for a fresh process: the core's code changed. */
export const FRESH_PROCESS = 75;
