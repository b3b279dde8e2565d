import { PergolaError, WrongCode } from '../../base/index.ts';
import { fill } from '../../i18n/index.ts';
import type { Entry } from './entries.ts';
import type { Load } from './load.ts';

/** Whether an error says what is wrong with a record; anything else (the database is away) is no fault of the data. */
export function isDescribed(error: unknown): error is PergolaError {
  return error instanceof PergolaError && (error.status < 500 || error instanceof WrongCode);
}

/** Reports why a shipped record could not be written, field by field. */
export function reportError(load: Load, entry: Partial<Pick<Entry, 'file' | 'externalId'>>, error: unknown): void {
  if (!isDescribed(error)) throw error;
  const fields = Object.entries(error.fields);
  if (fields.length === 0) load.problems.add(entry, fill(error.message, error.params));
  for (const [name, text] of fields) load.problems.add(entry, `${name}: ${text}`);
}
