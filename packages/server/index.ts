// Public API of the package; see README.md for its purpose.

export type { CommandLine } from './fresh-process.ts';
export { beginServing, guardProcess, openAllowed, portTaken, startServer } from './serve.ts';
