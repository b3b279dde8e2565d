/** Exports for addons, under `pergola/kernel`. */

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
export { type AddonCost, type CostReport, KEPT_MINUTES, siteCosts, summed } from './costs/ledger.ts';
export { type SystemHealth, systemHealth } from './health.ts';
export { uploadSize, uploadSpace } from './upload-limits.ts';
