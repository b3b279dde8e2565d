// What other parts may import; README.md says what the part is for.

export type { Operation } from './access/compiled.ts';
export { type AccessList, access, type GroupDefinition, group, type RecordRule, rule } from './access/define.ts';
export { followRules } from './access/follow.ts';
export {
  firstNotOwn,
  type KeptRights,
  operationByLetter,
  operationsOf,
  scopeOfRights,
} from './access/letters.ts';
export { isWritable, mayOperate, mayUseField, requireRight, requireScope, withoutScope } from './access/rights.ts';
export { type TrackedChange, tellAudit } from './audit.ts';
export { bindOther, bindSudo, boundOf } from './bind.ts';
export { methodNames } from './build/finish.ts';
export { domainFaults, type FieldsOfModel, isFault, parseOrder, resolvePath } from './build/paths.ts';
export { buildRegistry } from './build-registry.ts';
export { choiceText } from './choice-text.ts';
export type { BoundModel, CompiledField, CompiledModel } from './compiled.ts';
export { nextIds, recompute } from './compute/recompute.ts';
export { shipmentProblems } from './data/check.ts';
export { type DataSet, data, type Migration, type MigrationTools, migration, ref } from './data/define.ts';
export { type ShippedSet, writtenSet } from './data/entries.ts';
export { type ExternalId, externalIdsFrom } from './data/external-ids.ts';
export { loadData } from './data/load.ts';
export { type DecimalInput, decimal, type ExactDecimal } from './decimal.ts';
export { checkDomain, checkFields, checkOrder, readableFields } from './domain/outside.ts';
export {
  type AnyField,
  type Decimal,
  type Field,
  type FieldType,
  f,
  humanize,
  type Id,
  type Ids,
  type Minor,
} from './fields.ts';
export { META, type RowMeta } from './meta.ts';
export { extend, type ModelClass, mixin, model, via, type Widen } from './model.ts';
export { type CurrencyUnits, fromMinor, noCurrency, toMinor } from './money.ts';
export { ormPart } from './part.ts';
export { placeProblems } from './places.ts';
export { groups, models } from './points.ts';
export { isGroupable, periodBasis } from './read/group.ts';
export { noRecord } from './read/need.ts';
export type { PlainRow, SelectSpec } from './read/select.ts';
export type { AnyValues, RecordModel } from './record-model.ts';
export { keepExternalId, recordByExternalId } from './record-names.ts';
export type { ModelRegistry } from './registry.ts';
export { modelRegistry } from './registry-key.ts';
export { ownership, tablesOf } from './schema.ts';
export { seal, unseal } from './seal.ts';
export { isSealed, sealWith } from './sealed.ts';
export { type Markup, markupIn, markupOf, mergeMarkup, type TermChange } from './terms/kept.ts';
export { matchTexts } from './terms/match.ts';
export type { PlainTexts } from './terms/plain.ts';
export { readMarkup, readTexts } from './terms/read.ts';
export { type LanguageTerms, type Term, textOfTerm } from './terms/realign.ts';
export { fillSlots, isWordless, type Slot, splitMarkup } from './terms/split.ts';
export type {
  AnyModel,
  Asked,
  BaseFields,
  Domain,
  FieldsOf,
  FindOptions,
  GroupOptions,
  GroupRow,
  Merge,
  Model,
  ModelRef,
  Models,
  RawDomain,
  Row,
  Select,
  Values,
  Via,
} from './types.ts';
export { linkedBy } from './write/commands.ts';
export { defaultValues, inDefaultLanguage } from './write/defaults.ts';
export { holds } from './write/holds.ts';
export { isFileRef } from './write/normalize.ts';
export { operate, type WriteOperation } from './write/operation.ts';
export { FieldProblem, Problems } from './write/problems.ts';
export { isSearched } from './write/search.ts';
export { selectRows, updateEach } from './write/sql.ts';
export { columnValues, decodeValue } from './write/stored.ts';
export { isPreview, trialIn } from './write/trial.ts';

// For tools.

export { buildGroups } from './access/groups.ts';
export { columnKinds } from './build/compile-field.ts';
export { declarationOf } from './model.ts';
export { modelsWithoutAccess } from './places.ts';
