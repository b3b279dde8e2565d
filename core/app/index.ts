// What other parts may import; README.md says what the part is for.

export { addonManager } from './addon-manager.ts';
export {
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
} from './backups.ts';
export { type AddonCommand, UsageError } from './commands.ts';
export { type SystemHealth, systemHealth } from './health.ts';
export { app } from './values.ts';
