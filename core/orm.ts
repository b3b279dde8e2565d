/** More of the models: describing and calling them by name, and types for generic code. */

export type { RecordRule } from './model/access/define.ts';
export type { DataSet } from './model/data/define.ts';
export type { DecimalInput, ExactDecimal } from './model/decimal.ts';
export { type AnyField, type Field, humanize } from './model/fields.ts';
export { META, type RowMeta } from './model/meta.ts';
export { models } from './model/points.ts';
export { keepExternalId, recordByExternalId } from './model/record-names.ts';
export { callModel, callWrites, type ModelCall, prepareModelCall } from './model/rpc/index.ts';
export type { AnyModel, Asked, BaseFields, FindOptions, GroupOptions, GroupRow, Model } from './model/types.ts';
export { linkedBy } from './model/write/commands.ts';
export type { TrackedChange } from './model/write/tracked.ts';
