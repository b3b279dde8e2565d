// What other parts may import; README.md says what the part is for.

export { operationsPart } from './part.ts';
export * from './public.ts';

// For tools.

export { readBackup } from './backup.ts';
export { backupLines, writeBackupFile } from './backups.ts';
