export { codecFor } from './codec.ts';
export {
  DatabaseConflict,
  DatabaseError,
  DatabaseMisuse,
  ForeignKeyViolation,
  NotNullViolation,
  UniqueViolation,
} from './errors.ts';
export { openDatabase } from './open.ts';
export type * from './types.ts';
