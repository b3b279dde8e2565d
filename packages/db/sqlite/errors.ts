import { ControlSignal, Unavailable } from '@pergola/core';
import { diskFull } from '../disk-full.ts';
import {
  away,
  busy,
  DatabaseError,
  ForeignKeyViolation,
  NotNullViolation,
  UniqueViolation,
  writesInRead,
} from '../errors.ts';
import { pause } from '../settings.ts';
import { inspect } from '../statement.ts';

/** Another process holds the lock; a retry will succeed. */
export class SqliteBusy extends ControlSignal {
  override readonly name = 'SqliteBusy';
}

export function isBusy(error: unknown): error is SqliteBusy {
  return error instanceof SqliteBusy;
}

/** Retries while another process holds the file exclusively, without blocking a thread; only for work that is safe to repeat. */
export async function untilFree<T>(deadlineMs: number, run: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw busy('another process keeps the database file to itself', error);
      await pause(10);
    }
  }
}

/** Converts driver errors into errors of this package; others pass through. */
export function sqliteError(error: unknown, sql: string): unknown {
  if (!Error.isError(error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (error instanceof Unavailable) return error;
  const { code, message } = error;
  switch (code) {
    case 'SQLITE_CONSTRAINT':
      return constraintError(error, sql);
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return new SqliteBusy(message, { cause: error });
    case 'SQLITE_READONLY':
      return writesInRead(sql, error);
    case 'SQLITE_INTERRUPT':
      return busy('a statement took too long and was stopped', error);
    case 'SQLITE_FULL':
      return diskFull(error);
    case 'SQLITE_IOERR':
    case 'SQLITE_CANTOPEN':
      return away('the disk cannot be read or written', error);
    default:
      return new DatabaseError(message, { code, sql, cause: error });
  }
}

function constraintError(error: Error, sql: string): Error {
  const { table, verb } = inspect(sql);
  const [, rule, list = ''] = /(UNIQUE|NOT NULL|FOREIGN KEY) constraint failed(?:: (.*))?$/.exec(error.message) ?? [];
  const places = list.split(', ').filter((place) => place.includes('.'));
  const details = {
    table: places[0]?.split('.')[0] ?? table,
    columns: places.map((place) => place.slice(place.indexOf('.') + 1)),
    cause: error,
  };
  switch (rule) {
    case 'UNIQUE':
      return new UniqueViolation(details);
    case 'NOT NULL':
      return new NotNullViolation(details);
    case 'FOREIGN KEY':
      return new ForeignKeyViolation({ ...details, table, relation: verb === 'delete' ? 'referenced' : 'missing' });
    default:
      return new DatabaseError(error.message, { code: 'SQLITE_CONSTRAINT', sql, cause: error });
  }
}
