/** Additional core API, for addons that work with other addons’ definitions, switch addons or add commands. */

export { namedCache } from '@pergola/caches';
export { type CapabilitySheet, readSheetInThread } from '@pergola/capabilities';
export * from '@pergola/changes/public';
export * from '@pergola/cluster/public';
export {
  correctWords,
  firstName,
  hasLetter,
  hasWords,
  looksLikeHtml,
  singleLine,
  withoutControls,
  wordsOf,
} from '@pergola/content';
export type { AccessScope, ContributionPoint } from '@pergola/core';
export {
  type AddonCommand,
  type AddonDefinition,
  type AddonStatus,
  addonManager,
  BrokenAddons,
  type Capability,
  type CodeReview,
  type Config,
  type Contribution,
  callable,
  declaredAt,
  declaredHere,
  didYouMean,
  iconName,
  id,
  type Key,
  type Now,
  namesIn,
  type PastSwitch,
  type Plan,
  type PlanItem,
  type PlannedAddon,
  type Sentence,
  type ServiceBase,
  type ServiceClass,
  type ServiceExtension,
  type SwitchAction,
  shaped,
  text,
  UsageError,
  WrongCode,
} from '@pergola/core';
export { Semaphore } from '@pergola/db';
export { jobs } from '@pergola/jobs';
export * from '@pergola/operations/public';
export * from '@pergola/rehearsal/public';
export { type Setting, settings } from '@pergola/settings';
export type { Consequence, Declared } from '@pergola/switching';
