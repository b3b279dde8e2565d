// Public API of the package; see README.md for its purpose.

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
export { type SystemHealth, systemHealth } from './health.ts';
export { operationsPart } from './part.ts';
export { uploadSize, uploadSpace } from './upload-limits.ts';

// For tools.

export { readBackup } from './backup.ts';
export { backupLines, writeBackupFile } from './backups.ts';
