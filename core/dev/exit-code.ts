/** The exit code by which a server says to `pergola dev` that its own code changed. */
export const FRESH_PROCESS = 75;
