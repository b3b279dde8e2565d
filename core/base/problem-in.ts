import type { Problem } from './errors.ts';
import { type CodeFolder, placesIn } from './stack-places.ts';

/** An error as a problem of the addon in whose folder it came about, with file and line as its stack names them; of the core when in none. */
export function problemIn(error: unknown, folders: readonly CodeFolder[]): Problem {
  if (!Error.isError(error)) return { addon: 'core', message: String(error) };
  const { value: place } = placesIn(error.stack ?? '', folders).next();
  if (!place) return { addon: 'core', message: error.message };
  return { addon: place.owner.name, file: place.file, line: place.line, message: error.message };
}
