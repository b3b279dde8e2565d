// Exports for other parts; README.md explains the part's purpose.

export { access, group, rule } from './access/define.ts';
export { tellAudit } from './audit.ts';
export { buildRegistry } from './build-registry.ts';
export { choiceText } from './choice-text.ts';
export { nextIds, recompute } from './compute/recompute.ts';
export { shipmentProblems } from './data/check.ts';
export { data, migration, ref } from './data/define.ts';
export { type ShippedSet, writtenSet } from './data/entries.ts';
export { type ExternalId, externalIdsFrom } from './data/external-ids.ts';
export { loadData } from './data/load.ts';
export { decimal } from './decimal.ts';
export { type Decimal, f, type Id, type Ids, type Minor } from './fields.ts';
export { extend, mixin, model, via } from './model.ts';
export { type CurrencyUnits, fromMinor, toMinor } from './money.ts';
export { ormPart } from './part.ts';
export { pendingFieldsOf, withPendingFields } from './pending-fields.ts';
export { placeProblems } from './places.ts';
export * from './public.ts';
export {
  type ChangeRecorder,
  changeRecording,
  isRecorded,
  type LinkedPair,
  recordedFields,
  recorderOf,
  recordIn,
  type StartRecording,
} from './recording.ts';
export { modelRegistry } from './registry-key.ts';
export { ownership, tablesOf } from './schema.ts';
export { seal, unseal } from './seal.ts';
export { isSealed, sealWith } from './sealed.ts';
export type { Domain, FieldsOf, ModelRef, Models, RawDomain, Row, Select, Values } from './types.ts';
export { inDefaultLanguage } from './write/defaults.ts';
export { operate, type WriteOperation } from './write/operation.ts';
export { type Reference, referencesTo } from './write/references.ts';
export type { Restoration, StoredValues } from './write/restoration.ts';
export { restore } from './write/restore.ts';
export { isSearched } from './write/search.ts';
export { insertRows, selectIds, selectRows, updateEach, updateRows } from './write/sql.ts';
export { columnValues, decodeValue } from './write/stored.ts';

// For tools.

export { buildGroups } from './access/groups.ts';
export { columnKinds } from './build/compile-field.ts';
export { declarationOf } from './model.ts';
export { modelsWithoutAccess } from './places.ts';
