/** What the code of an addon can do: its capability sheet, derived from its source without running it. */

export { type Capability, type CapabilityKind, capabilityText, type Place, type Risk } from './capability.ts';
export { type SheetDifference, sheetDifference } from './difference.ts';
export { codeDigest } from './digest.ts';
export { type CapabilitySheet, readSheet } from './sheet.ts';
export { readSheetInThread } from './sheet-thread.ts';
