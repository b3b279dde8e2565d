// What other parts may import; README.md says what the part is for.

export { dumpTables } from './backup/dump.ts';
export { type BackupHeader, broken, readHeader } from './backup/format.ts';
export { restoreTables } from './backup/restore.ts';
export { codecFor, isDay, isMoment } from './codec.ts';
export { DatabaseConflict, DatabaseMisuse, ForeignKeyViolation, UniqueViolation } from './errors.ts';
export { inListSql, listBinding, textIn } from './fragments.ts';
export type { IdentityMap } from './identity-map.ts';
export { knexOn } from './knex-on.ts';
export { openDatabase } from './open.ts';
export { filled, Placeholder, type Plan, planOf, type Sources } from './plans.ts';
export { changesOf, rowsOf } from './run.ts';
export { postgresTypes } from './schema/ddl.ts';
export { quoted } from './schema/names.ts';
export type {
  Binding,
  Changes,
  Codec,
  ColumnKind,
  ColumnSpec,
  Connection,
  Database,
  DatabaseMetrics,
  Dialect,
  IndexSpec,
  ReadBounds,
  Row,
  SchemaPlan,
  SchemaStep,
  Statement,
  TableSpec,
  Transaction,
  WriteOptions,
} from './types.ts';
