// Public exports for other parts; README.md explains the purpose of this part.

export { addonManager } from './addon-manager.ts';
export { type AddonCommand, UsageError } from './commands.ts';
export { type Listener, listener } from './listener.ts';
// Adds the type of its contribution point for importers of the core.
export type {} from './start-checks.ts';
