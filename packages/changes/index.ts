// Public API of the package; see README.md for its purpose.

export { type ChangedRecord, type ChangeFilter, type ListedChange, listChanges } from './list.ts';
export { changesPart } from './part.ts';
export type { UndoConflict, UndoOptions } from './plan.ts';
export { changeDays, eraseChanges } from './retention.ts';
export { recordAs, type UndoResult, undo, undoOwn } from './undo.ts';
