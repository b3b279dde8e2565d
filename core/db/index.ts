export { dumpTables } from './backup/dump.ts';
export type { BackupCount, BackupHeader, DumpedTable } from './backup/format.ts';
export { restoreTables } from './backup/restore.ts';
export { codecFor } from './codec.ts';
export {
  DatabaseConflict,
  DatabaseError,
  DatabaseMisuse,
  ForeignKeyViolation,
  NotNullViolation,
  UniqueViolation,
} from './errors.ts';
export { type Fragment, inList, type ListKind, likePattern } from './fragments.ts';
export { openDatabase } from './open.ts';
export { changesOf, rowsOf } from './run.ts';
export type * from './types.ts';
