/** Exports for addons, under `pergola/kernel`. */

export { type ChangedRecord, type ChangeFilter, type ListedChange, listChanges } from './list.ts';
export { changeDays, eraseChanges } from './retention.ts';
export { nameChanges, type UndoConflict, type UndoOptions, type UndoResult, undo } from './undo.ts';
