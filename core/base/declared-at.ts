import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from './errors.ts';
import { type CodeFolder, placesIn } from './stack-places.ts';

/** Under it, what is declared in code keeps where. */
const PLACE = Symbol('pergola.place');

/**
 * Notes on something that is declared in code where that is, for problems that are found in it later: the place is worked out only then.
 *
 * @param by the function that declares: whoever calls it is the place
 */
export function declaredHere<T extends object>(made: T, by: CallableFunction): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  const place: { stack?: string } = {};
  Error.captureStackTrace(place, by);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.defineProperty(made, PLACE, { value: place });
}

/**
 * Where in an addon something was declared, in the line that names one of these words first; the line in which it begins when none does.
 */
export function declaredAt(made: object, owner: CodeFolder, words: readonly string[]): Pick<Problem, 'file' | 'line'> {
  const { stack = '' } = (Reflect.get(made, PLACE) ?? {}) as { stack?: string };
  const [place] = placesIn(stack, [owner]);
  if (!place) return {};
  const { file, line } = place;
  const lines = declarationFrom(
    readFileSync(join(owner.folder, file), 'utf8')
      .split('\n')
      .slice(line - 1),
  );
  // Of a path the whole may not stand there: “library.book.title” is `title` in its model.
  for (const word of words.flatMap((path) => [path, path.slice(path.lastIndexOf('.') + 1)])) {
    const isNamed = new RegExp(`(?<![\\w.])${RegExp.escape(word)}(?!\\w)`);
    const below = lines.findIndex((text) => isNamed.test(text));
    if (below >= 0) return { file, line: line + below };
  }
  return { file, line };
}

/** The lines up to the first that stands as far left as the beginning does, and does not close it. */
function declarationFrom(lines: readonly string[]): readonly string[] {
  const indentOf = (text: string) => text.search(/\S/);
  const [first = ''] = lines;
  const next = lines.findIndex((text, at) => at > 0 && /^\s*[^\s)\]}]/.test(text) && indentOf(text) <= indentOf(first));
  return next < 0 ? lines : lines.slice(0, next);
}

/** The names in a message, the last first: what it is about mostly stands behind whose it is. */
export function namesIn(message: string): string[] {
  return [...message.matchAll(/[“"`]([\w.-]+)[”"`]/g)].map(([, name = '']) => name).reverse();
}
