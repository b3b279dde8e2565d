/** More of the kernel and of what everything stands on, for addons that work with other addons’ definitions, switch addons or bring commands. */

export { type AddonCommand, addonManager, UsageError } from './app/index.ts';
export { BrokenAddons, type Config, type Now, Semaphore, WrongCode } from './base/index.ts';
export type { Declared } from './install/index.ts';
export type {
  AddonDefinition,
  AddonStatus,
  PastSwitch,
  Plan,
  PlanItem,
  PlannedAddon,
  Sentence,
  ServiceClass,
  SwitchAction,
} from './kernel/index.ts';
