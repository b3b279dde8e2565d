// Public API of the package; see README.md for its purpose.

export { dumpLines, dumpTables } from './backup/dump.ts';
export { type BackupHeader, broken, readHeader } from './backup/format.ts';
export { restoreTables } from './backup/restore.ts';
export { codecFor, isDay, isMoment } from './codec.ts';
export { copyDatabase } from './copy.ts';
export {
  DatabaseConflict,
  DatabaseError,
  DatabaseMisuse,
  ForeignKeyViolation,
  RolledBack,
  UniqueViolation,
} from './errors.ts';
export { inListSql, listBinding, textIn } from './fragments.ts';
export type { IdentityMap } from './identity-map.ts';
export { knexOn } from './knex-on.ts';
export { hasRows, openDatabase, sqliteFile } from './open.ts';
export { dbPart } from './part.ts';
export { filled, Placeholder, type Plan, planOf, type Sources } from './plans.ts';
export { changesOf, rowsOf } from './run.ts';
export { quoted } from './schema/names.ts';
export { codecOf, type DatabaseSession, database, databaseSession, sessionOn, transactionOf } from './session.ts';
export type {
  Binding,
  Changes,
  Codec,
  ColumnKind,
  ColumnSpec,
  Connection,
  Database,
  DatabaseCopy,
  DatabaseMetrics,
  Dialect,
  IndexSpec,
  ReadBounds,
  Result,
  Row,
  SchemaPlan,
  SchemaStep,
  Statement,
  TableSpec,
  Transaction,
} from './types.ts';

// For tools.

export { diskFull, isDiskFull } from './disk-full.ts';
export { isOutOfMemory, outOfMemory } from './out-of-memory.ts';
export { QUERY_CHANNEL, type QueryTrace } from './query-trace.ts';
export { postgresTypes, sqliteTypes } from './schema/ddl.ts';
export { Semaphore } from './semaphore.ts';
