// Public exports for other parts; README.md explains the purpose of this part.

export { type Addon, type AddonDefinition, defineAddon, type ListedAddon } from './addon.ts';
export {
  addonMarkup,
  type CodeAccount,
  type CodeMeter,
  codeMeter,
  currentAccount,
  inAddon,
  withAccount,
} from './addon-code.ts';
export {
  addonStorage,
  discovery,
  generations,
  lifecycle,
} from './application-keys.ts';
export { buildGeneration, enabledAddons, type GenerationInput } from './build.ts';
export { changedSince, codeStamp, newestIn } from './code-stamp.ts';
export type { Scope } from './container.ts';
export { type Discovery, discover } from './discover.ts';
export { Generation } from './generation.ts';
export { createGenerationHolder, type GenerationHolder } from './generation-holder.ts';
export type { BuildResult } from './host.ts';
export { type Key, type KeyClass, keyOf, requestValue, value } from './key.ts';
export { createLifecycle, type Lifecycle } from './lifecycle.ts';
export { type AddonManager, addonSwitches, createAddonManager, type FreshProcess } from './manager.ts';
export { dependencyClosure, order } from './order.ts';
export type { Capability, CodeReview, Consent, Plan, PlanItem, PlannedAddon, SwitchAction } from './plan.ts';
export {
  type Contribution,
  type ContributionPoint,
  contributionPoint,
  listPoint,
} from './point.ts';
export { readManifest } from './read-manifest.ts';
export { type Sentence, sentence, type Word } from './sentence.ts';
export { extendService, type ServiceBase, type ServiceClass, type ServiceExtension, service } from './service.ts';
export { callable, iconName, id, shaped, text } from './shapes.ts';
export { loadedVersions, type StartUp } from './start-up.ts';
export type { AddonStatus } from './status.ts';
export type {
  AddonState,
  AddonStorage,
  Change,
  Commitment,
  FailedSwitch,
  GenerationRecord,
  LockHolder,
  PastSwitch,
  PreparedChange,
  PreparedRemoval,
  StoredAddon,
  SwitchQuestion,
} from './storage.ts';
export { compareVersions } from './versions.ts';
