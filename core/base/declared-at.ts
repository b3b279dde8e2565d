import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from './errors.ts';
import { type CodeFolder, placesIn, stackAbove } from './stack-places.ts';

/** Under it, what is declared in code keeps where. */
const PLACE = Symbol('pergola.place');

/**
 * Notes on something that is declared in code where that is, for problems that are found in it later: the place is worked out only then.
 *
 * @param by the function that declares: whoever calls it is the place
 */
export function declaredHere<T extends object>(made: T, by: CallableFunction): T {
  return Object.defineProperty(made, PLACE, { value: stackAbove(by, 1) });
}

/**
 * Finds where an addon declares something: the first line of the declaration that names one of these words, else the line on which it begins.
 *
 * @param id written in declarations that no function of Pergola makes, such as snippets
 */
export function declaredAt(
  made: object,
  owner: CodeFolder,
  words: readonly string[],
  id?: string,
): Pick<Problem, 'file' | 'line'> {
  const { stack = '' } = (Reflect.get(made, PLACE) ?? {}) as { stack?: string };
  const place = placesIn(stack, [owner]).next().value ?? writtenAt(owner, id);
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

/** The first line of a file that names one of these words; undefined if none does, or there is no such file. */
export function lineNaming(file: string, words: readonly string[]): number | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  for (const word of words) {
    const index = lines.findIndex((text) => new RegExp(`(?<![\\w.])${RegExp.escape(word)}(?!\\w)`).test(text));
    if (index >= 0) return index + 1;
  }
  return undefined;
}

/** The line of an addon's code that has this text in quotes, as an `id` if possible: a snippet and its block have the same. */
function writtenAt({ folder }: CodeFolder, id: string | undefined): { file: string; line: number } | undefined {
  if (id === undefined) return undefined;
  const exclude = (name: string): boolean => ['node_modules', 'tests', '.build', 'dist'].includes(name);
  const quoted = RegExp.escape(id);
  const isId = new RegExp(`\\bid: ['"]${quoted}['"]`);
  const isNamed = new RegExp(`['"]${quoted}['"]`);
  let named: { file: string; line: number } | undefined;
  for (const file of globSync('**/*.{ts,js}', { cwd: folder, exclude })) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const index = lines.findIndex((text) => isId.test(text));
    if (index >= 0) return { file, line: index + 1 };
    const other = named ? -1 : lines.findIndex((text) => isNamed.test(text));
    if (other >= 0) named = { file, line: other + 1 };
  }
  return named;
}

/** The lines up to the first that stands as far left as the beginning does, and does not close it. */
function declarationFrom(lines: readonly string[]): readonly string[] {
  const indentOf = (text: string) => text.search(/\S/);
  const [first = ''] = lines;
  const next = lines.findIndex((text, at) => at > 0 && /^\s*[^\s)\]}]/.test(text) && indentOf(text) <= indentOf(first));
  return next < 0 ? lines : lines.slice(0, next);
}

/** The names in a message, the last first: what it is about mostly follows its owner. Names at the end of a path come after the path. */
export function namesIn(message: string): string[] {
  const names = [...message.matchAll(/[“"`]([\w.-]+)[”"`]/g)].map(([, name = '']) => name).reverse();
  return [...new Set(names.flatMap((name) => [...names.filter((path) => path.endsWith(`.${name}`)), name]))];
}
