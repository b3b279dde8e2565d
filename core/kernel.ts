/** More of the core and of what everything stands on, for addons that work with other addons’ definitions, switch addons or bring commands. */

export {
  type AddonCommand,
  addonManager,
  type BackupDrill,
  type BackupInfo,
  type BackupProgress,
  backupNamed,
  drillBackup,
  listBackups,
  makeBackup,
  readBackupFile,
  removeBackup,
  runningBackup,
  type SystemHealth,
  systemHealth,
  UsageError,
  uploadSize,
  uploadSpace,
} from './app/index.ts';
export {
  BrokenAddons,
  type Config,
  correctWords,
  declaredAt,
  declaredHere,
  didYouMean,
  hasWords,
  type Now,
  namesIn,
  Semaphore,
  WrongCode,
  wordsOf,
} from './base/index.ts';
export type { Declared } from './install/index.ts';
export {
  type AddonDefinition,
  type AddonStatus,
  type Contribution,
  callable,
  iconName,
  id,
  type PastSwitch,
  type Plan,
  type PlanItem,
  type PlannedAddon,
  type Sentence,
  type ServiceClass,
  type SwitchAction,
  shaped,
  text,
} from './kernel/index.ts';
export { type Setting, settings } from './settings/index.ts';
