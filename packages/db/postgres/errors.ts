import { ControlSignal } from '@pergola/core';
import { diskFull } from '../disk-full.ts';
import {
  busy,
  DatabaseError,
  ForeignKeyViolation,
  NotNullViolation,
  UniqueViolation,
  writesInRead,
} from '../errors.ts';
import { inspect } from '../statement.ts';

/** Another transaction was faster: a retry will see its changes. */
export class Overtaken extends ControlSignal {
  override readonly name = 'Overtaken';
  readonly code: string;
  /** Referenced table, if the conflict occurred there and not in the statement's own table. */
  readonly referred: string | null;

  constructor(message: string, code: string, { cause, referred }: { cause?: unknown; referred?: string | null } = {}) {
    super(message, { cause });
    this.code = code;
    this.referred = referred ?? null;
  }
}

/** The connection was lost, and with it the open transaction. */
export class ConnectionLost extends ControlSignal {
  override readonly name = 'ConnectionLost';
}

/** Error reported by the server, as far as used here. */
interface ServerError extends Error {
  code: string;
  table?: string;
  column?: string;
  constraint?: string;
  detail?: string;
  /** Internal context of the statement, such as a foreign key check. */
  where?: string;
}

/** Serialisation failure, deadlock, lock timeout, and a prepared statement whose table has changed. */
const overtaken = new Set(['40001', '40P01', '55P03']);
const staleStatement = '0A000';

/** Converts driver errors into errors of this package. */
export function postgresError(error: unknown, sql: string): unknown {
  if (!Error.isError(error)) return error;
  if (!isServerError(error)) return isLost(error) ? new ConnectionLost(error.message, { cause: error }) : error;
  const { code, message } = error;
  if (overtaken.has(code)) {
    const referred = /FROM ONLY (?:"[^"]+"\.)?"([^"]+)"/.exec(error.where ?? '')?.[1];
    return new Overtaken(message, code, { cause: error, referred });
  }
  if (code === staleStatement && message.includes('cached plan'))
    return new Overtaken(message, staleStatement, { cause: error });
  switch (code) {
    case '23505':
      return new UniqueViolation(details(error, sql));
    case '23502':
      return new NotNullViolation({ ...details(error, sql), columns: error.column ? [error.column] : [] });
    case '23503':
      return foreignKeyError(error, sql);
    case '25006':
      return writesInRead(sql, error);
    case '57014':
      return busy('a statement took too long and was stopped', error);
    case '53100':
      return diskFull(error);
    default:
      return /^(08|57P|53|25P03)/.test(code)
        ? new ConnectionLost(message, { cause: error })
        : new DatabaseError(message, { code, sql, cause: error });
  }
}

/** Whether a prepared statement's table has changed; it works after being prepared under another name. */
export function isStale(error: unknown): boolean {
  return error instanceof Overtaken && error.code === staleStatement;
}

function isServerError(error: Error): error is ServerError {
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error;
}

function isLost(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ENOENT)/.test(code) ||
    /connection (terminated|ended)|not queryable|was closed|timeout expired|read timeout|client has encountered/i.test(
      error.message,
    )
  );
}

function details(error: ServerError, sql: string) {
  return {
    table: inspect(sql).table || (error.table ?? ''),
    columns: /\(([^)]+)\)=\(/.exec(error.detail ?? '')?.[1]?.split(', ') ?? [],
    constraint: error.constraint ?? null,
    cause: error,
  };
}

/** PostgreSQL always names the referencing table; the table being written determines the kind of error. */
function foreignKeyError(error: ServerError, sql: string): ForeignKeyViolation {
  const { verb, table } = inspect(sql);
  const pointing = error.table ?? '';
  const isReferenced = verb === 'delete' || (table !== '' && table !== pointing);
  return new ForeignKeyViolation({
    ...details(error, sql),
    relation: isReferenced ? 'referenced' : 'missing',
    columns: isReferenced ? [] : details(error, sql).columns,
    otherTable: isReferenced ? pointing : null,
  });
}
