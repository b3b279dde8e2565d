/** Capability sheets of addons, derived from their source without running it. */

export { type Capability, type CapabilityKind, capabilityText, type Place, type Risk } from './capability.ts';
export { type SheetDifference, sheetDifference } from './difference.ts';
export { codeDigest } from './digest.ts';
export { type CapabilitySheet, readSheet } from './sheet.ts';
export { readSheetInThread } from './sheet-thread.ts';
