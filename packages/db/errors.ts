import { Conflict, ControlSignal, Unavailable } from '@pergola/core';

/** Details of a rejected row. Table and columns use schema names; the model layer knows their labels. */
export interface ConflictDetails {
  /** The table being written. */
  table: string;
  /** Columns of the violated rule, as far as the database reports them. */
  columns?: readonly string[];
  /** Name of the index or constraint; PostgreSQL only. */
  constraint?: string | null;
  cause?: unknown;
}

/** The database rejected a row because of other rows. Messages are suitable for users; table and columns are for code and logs. */
export class DatabaseConflict extends Conflict {
  readonly table: string;
  readonly columns: readonly string[];
  readonly constraint: string | null;

  constructor(message: string, code: string, details: ConflictDetails) {
    const columns = details.columns ?? [];
    super(message, { code, cause: details.cause, params: { columns: columns.join(', ') } });
    this.table = details.table;
    this.columns = columns;
    this.constraint = details.constraint ?? null;
  }
}

/** Another row already has these values. */
export class UniqueViolation extends DatabaseConflict {
  constructor(details: ConflictDetails) {
    super('There is one already with the same values: {columns}.', 'core.unique_violation', details);
  }
}

/**
 * A row references a missing row (`missing`), or a row to be deleted is still referenced (`referenced`). `columns` belong to the
 * referencing table if the database reports them; SQLite never does.
 */
export class ForeignKeyViolation extends DatabaseConflict {
  readonly relation: 'missing' | 'referenced';
  /** The other table, if the database reports it. */
  readonly otherTable: string | null;

  constructor(details: ConflictDetails & { relation: 'missing' | 'referenced'; otherTable?: string | null }) {
    const { message, code } =
      details.relation === 'missing'
        ? { message: 'What it refers to does not exist.', code: 'core.foreign_key_missing' }
        : { message: 'Others still refer to it, so it cannot be deleted.', code: 'core.foreign_key_referenced' };
    super(message, code, details);
    this.relation = details.relation;
    this.otherTable = details.otherTable ?? null;
  }
}

/** A required column has no value. */
export class NotNullViolation extends DatabaseConflict {
  constructor(details: ConflictDetails) {
    super('A value is missing: {columns}.', 'core.not_null_violation', details);
  }
}

/** A bug in our code: a statement where it isn't allowed, or a binding that no column can hold. Never the visitor's fault. */
export class DatabaseMisuse extends Error {
  override readonly name = 'DatabaseMisuse';
}

/** A statement that writes was run on a connection that only reads. */
export function writesInRead(sql: string, cause: unknown): DatabaseMisuse {
  const where = 'A statement that writes was run where only reading is allowed; it belongs in a write';
  return new DatabaseMisuse(`${where}: ${shorten(sql)}`, { cause });
}

/** The database rejected a statement for any other reason; the message contains the statement, but not its bindings. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE on PostgreSQL, `SQLITE_…` on SQLite. */
  readonly code: string;
  readonly sql: string;

  constructor(message: string, details: { code: string; sql: string; cause?: unknown }) {
    super(`${message} (in: ${shorten(details.sql)})`, { cause: details.cause });
    this.code = details.code;
    this.sql = details.sql;
  }
}

/** Too many concurrent writes, or a lock held for too long. Visitors always see the same message; the cause explains why. */
export function busy(reason: string, cause?: unknown): Unavailable {
  return new Unavailable('The site is very busy. Try again in a moment.', {
    code: 'core.database_busy',
    retryAfter: 2,
    cause: new Error(reason, { cause }),
  });
}

/** A statement exceeded its time limit. Retrying it would take as long. */
export function tookTooLong(limitMs: number): Unavailable {
  return new Unavailable('This took too long and was stopped. Try a smaller request.', {
    code: 'core.took_too_long',
    retryAfter: 30,
    cause: new Error(`a statement took longer than ${limitMs} ms`),
  });
}

/** The client has disconnected, so reading stops. */
export function abandoned(): Unavailable {
  return busy('nobody waits for the answer any more');
}

/** The database can't be reached or can't work (disk full, starting up). Visitors always see the same message; the cause explains why. */
export function away(reason: string, cause?: unknown): Unavailable {
  return new Unavailable('The site isn’t available right now. Try again in a moment.', {
    code: 'core.database_away',
    retryAfter: 2,
    cause: new Error(reason, { cause }),
  });
}

/** The database can't be opened at all; shown only to the administrator starting the site. */
export function unusable(reason: string, cause?: unknown): Unavailable {
  return new Unavailable(`The database cannot be used: ${reason}.`, {
    code: 'core.database_away',
    retryAfter: 2,
    cause,
  });
}

/** Shortens a statement for a message. */
function shorten(sql: string): string {
  const text = sql.replace(/\s+/g, ' ').trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Thrown inside a write to roll it back; always caught by the code that throws it. */
export class RolledBack extends ControlSignal {}
