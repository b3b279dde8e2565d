// What other parts may import; README.md says what the part is for.

export { addonManager } from './addon-manager.ts';
export { type AddonCommand, UsageError } from './commands.ts';
export { type SystemHealth, systemHealth } from './health.ts';
export { app } from './values.ts';
