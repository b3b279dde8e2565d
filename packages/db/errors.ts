import { Conflict, Unavailable } from '@pergola/core';

/** What the database knows of a refused row. Table and columns are those of the schema; the model layer knows their labels. */
export interface ConflictDetails {
  /** The table that was written to. */
  table: string;
  /** The columns of the rule, as far as the database says. */
  columns?: readonly string[];
  /** The name of the index or constraint; PostgreSQL only. */
  constraint?: string | null;
  cause?: unknown;
}

/** The database refused a row because of other rows. The texts are fit for people; table and columns are for code and logs. */
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

/** Another row has these values already. */
export class UniqueViolation extends DatabaseConflict {
  constructor(details: ConflictDetails) {
    super('There is one already with the same values: {columns}.', 'core.unique_violation', details);
  }
}

/**
 * A row points to one that is not there (`missing`), or others still point to the row that should go (`referenced`).
 * `columns` are those of the pointing table where the database says; SQLite never does.
 */
export class ForeignKeyViolation extends DatabaseConflict {
  readonly relation: 'missing' | 'referenced';
  /** The table at the other end, where the database says. */
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

/** A column that needs a value got none. */
export class NotNullViolation extends DatabaseConflict {
  constructor(details: ConflictDetails) {
    super('A value is missing: {columns}.', 'core.not_null_violation', details);
  }
}

/** A fault in our own code: a statement where it may not run, a binding no column can hold. Never the visitor's doing. */
export class DatabaseMisuse extends Error {
  override readonly name = 'DatabaseMisuse';
}

/** A statement that writes was run on a connection that only reads. */
export function writesInRead(sql: string, cause: unknown): DatabaseMisuse {
  const where = 'A statement that writes was run where only reading is allowed; it belongs in a write';
  return new DatabaseMisuse(`${where}: ${shorten(sql)}`, { cause });
}

/** The database refused a statement for a reason of its own; the message holds the statement, never its bindings. */
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

/** Too many want to write at once, or somebody holds a lock for too long. Visitors always read the same; the cause says why. */
export function busy(why: string, cause?: unknown): Unavailable {
  return new Unavailable('The site is very busy. Please try again in a moment.', {
    code: 'core.database_busy',
    retryAfter: 2,
    cause: new Error(why, { cause }),
  });
}

/** A statement ran for longer than it may. Asking for the same again would take as long. */
export function tookTooLong(limitMs: number): Unavailable {
  return new Unavailable('This took too long and was stopped. Please ask for less at once.', {
    code: 'core.took_too_long',
    retryAfter: 30,
    cause: new Error(`a statement took longer than ${limitMs} ms`),
  });
}

/** Whoever asked has left, so nothing more is read for them. */
export function abandoned(): Unavailable {
  return busy('nobody waits for the answer any more');
}

/** The database cannot be reached, or cannot work (disk full, starting up). Visitors always read the same; the cause says why. */
export function away(why: string, cause?: unknown): Unavailable {
  return new Unavailable('The site is not available at the moment. Please try again in a moment.', {
    code: 'core.database_away',
    retryAfter: 2,
    cause: new Error(why, { cause }),
  });
}

/** The database cannot be opened at all: only whoever starts the site reads it. */
export function unusable(why: string, cause?: unknown): Unavailable {
  return new Unavailable(`The database cannot be used: ${why}.`, { code: 'core.database_away', retryAfter: 2, cause });
}

/** A statement as far as it fits into a message. */
function shorten(sql: string): string {
  const text = sql.replace(/\s+/g, ' ').trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Thrown in a write to undo it on purpose; the caller that throws it catches it too. */
export class RolledBack extends Error {}
