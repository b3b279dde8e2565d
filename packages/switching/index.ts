// What other parts may import; README.md says what the part is for.

export type { Declared } from './declared.ts';
export { hasSite } from './generation-store.ts';
export { createMigrationTools } from './migrate.ts';
export { switchingPart } from './part.ts';
