// What other parts may import; README.md says what the part is for.

export type { Operation } from './access/compiled.ts';
export { access, type GroupDefinition, group, type RecordRule, rule } from './access/define.ts';
export { mayOperate } from './access/rights.ts';
export { boundOf } from './bind.ts';
export { type FieldsOfModel, isFault, parseOrder, resolvePath } from './build/paths.ts';
export { buildRegistry } from './build-registry.ts';
export type { CompiledField, CompiledModel } from './compiled.ts';
export { nextIds, recompute } from './compute/index.ts';
export { type DataSet, data, type Migration, type MigrationTools, migration, ref } from './data/define.ts';
export { externalIdsFrom } from './data/external-ids.ts';
export { loadData, resolveRef, type ShippedSet } from './data/index.ts';
export { tables } from './data/tables.ts';
export { type DecimalInput, decimal, type ExactDecimal } from './decimal.ts';
export {
  type AnyField,
  type Decimal,
  type Field,
  type Fields,
  type FieldType,
  f,
  humanize,
  type Id,
  type Ids,
  type Minor,
} from './fields.ts';
export { META, type RowMeta } from './meta.ts';
export { extend, mixin, model, via } from './model.ts';
export { type CurrencyUnits, fromMinor, toMinor } from './money.ts';
export { groups, modelPoints, models } from './points.ts';
export type { RecordModel } from './record-model.ts';
export { keepExternalId, recordByExternalId } from './record-names.ts';
export type { ModelRegistry } from './registry.ts';
export { fieldsGet } from './rpc/fields-get.ts';
export { callModel, callWrites, type ModelCall, prepareModelCall } from './rpc/index.ts';
export { type PublicMethod, publicMethod, publicMethods } from './rpc/public-method.ts';
export { ownership, tablesOf } from './schema.ts';
export type {
  AnyModel,
  Asked,
  BaseFields,
  Domain,
  FieldsOf,
  FindOptions,
  GroupOptions,
  GroupRow,
  Model,
  ModelName,
  ModelRef,
  Models,
  RawDomain,
  Row,
  Select,
  Values,
} from './types.ts';
export { linkedBy } from './write/commands.ts';
export { defaultValues } from './write/defaults.ts';
export { operate, type WriteOperation } from './write/operation.ts';
export { isSearched } from './write/search.ts';
export { selectRows, updateEach } from './write/sql.ts';
export { columnValues, decodeValue } from './write/stored.ts';
export type { TrackedChange } from './write/tracked.ts';
