/** Exports for addons, under `pergola/kernel`. */

export { type ChangedRecord, type ChangeFilter, type ListedChange, listChanges } from './list.ts';
export type { UndoConflict, UndoOptions } from './plan.ts';
export { changeDays, eraseChanges } from './retention.ts';
export { nameChanges, type UndoResult, undo, undoOwn } from './undo.ts';
