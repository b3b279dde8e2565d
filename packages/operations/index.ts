// Public API of the package; see README.md for its purpose.

export { costsPart } from './costs/part.ts';
export { operationsPart } from './part.ts';
export * from './public.ts';

// For tools.

export { readBackup } from './backup.ts';
export { backupLines, writeBackupFile } from './backups.ts';
export { costsOf, readCosts } from './costs/ledger.ts';
export { costLedger } from './costs/part.ts';
