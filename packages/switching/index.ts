// Public API of the package; see README.md for its purpose.

export { storedConsent } from './consents.ts';
export type { Declared } from './declared.ts';
export { hasSite } from './generation-store.ts';
export { createMigrationTools } from './migrate.ts';
export { switchingPart } from './part.ts';
export type { Consequence } from './points.ts';
export { planSchema } from './prepare.ts';
