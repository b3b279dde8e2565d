/** The exit code by which a server says to `pergola dev` that its addons' code changed. */
export const FRESH_PROCESS = 75;
/** The same for the core's code, which a process in waiting has loaded already. */
export const FRESH_CORE = 76;
