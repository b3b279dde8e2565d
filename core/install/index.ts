// What other parts may import; README.md says what the part is for.

export { codeStamp, newestIn } from './code-changes.ts';
export type { Declared } from './declared.ts';
export type { InstallHost } from './host.ts';
export { addonTasks } from './jobs.ts';
export { createMigrationTools } from './migrate.ts';
export { notesOn } from './plan-notes.ts';
export { installPoints } from './points.ts';
export { DatabaseAddonStorage } from './storage.ts';
export { tables } from './tables.ts';
