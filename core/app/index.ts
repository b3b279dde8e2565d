// What other parts may import; README.md says what the part is for.

export { addonManager } from './addon-manager.ts';
export { type AddonCommand, UsageError } from './commands.ts';
export { type Listener, listener } from './listener.ts';
export { startServer } from './serve.ts';
// Brings its contribution point to the types of everyone who imports the core.
export type {} from './start-checks.ts';
