import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from './errors.ts';
import { type CodeFolder, placesIn, stackAbove } from './stack-places.ts';

/** Property of a declared object that holds its place in the code. */
const PLACE = Symbol('pergola.place');

/**
 * Remembers where an object is declared, for problems found in it later. The place is only resolved when needed.
 *
 * @param factory the declaring function: its caller is the place
 */
export function declaredHere<T extends object>(declared: T, factory: CallableFunction): T {
  return Object.defineProperty(declared, PLACE, { value: stackAbove(factory, 1) });
}

/**
 * Finds where an addon declares something: the first line of the declaration that contains one of these words, otherwise its first line.
 *
 * @param id for declarations without a function of Pergola, such as snippets
 */
export function declaredAt(
  declared: object,
  owner: CodeFolder,
  words: readonly string[],
  id?: string,
): Pick<Problem, 'file' | 'line'> {
  const { stack = '' } = (Reflect.get(declared, PLACE) ?? {}) as { stack?: string };
  const place = placesIn(stack, [owner]).next().value ?? findQuoted(owner, id);
  if (!place) return {};
  const { file, line } = place;
  const lines = declarationFrom(
    readFileSync(join(owner.folder, file), 'utf8')
      .split('\n')
      .slice(line - 1),
  );
  // The full path may not appear in the source: “library.book.title” is `title` in its model.
  for (const word of words.flatMap((path) => [path, path.slice(path.lastIndexOf('.') + 1)])) {
    const isNamed = new RegExp(`(?<![\\w.])${RegExp.escape(word)}(?!\\w)`);
    const offset = lines.findIndex((text) => isNamed.test(text));
    if (offset >= 0) return { file, line: line + offset };
  }
  return { file, line };
}

/** Returns the first line of a file that contains one of these words; undefined if there is no match or no file. */
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

/** Finds the line of an addon's code with this text in quotes, preferably as an `id`: a snippet and its block share it. */
function findQuoted({ folder }: CodeFolder, id: string | undefined): { file: string; line: number } | undefined {
  if (id === undefined) return undefined;
  const exclude = (name: string): boolean => ['node_modules', 'tests', '.build', 'dist'].includes(name);
  const quoted = RegExp.escape(id);
  const isId = new RegExp(`\\bid: ['"]${quoted}['"]`);
  const isNamed = new RegExp(`['"]${quoted}['"]`);
  let mention: { file: string; line: number } | undefined;
  for (const file of globSync('**/*.{ts,js}', { cwd: folder, exclude })) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const index = lines.findIndex((text) => isId.test(text));
    if (index >= 0) return { file, line: index + 1 };
    const mentionIndex = mention ? -1 : lines.findIndex((text) => isNamed.test(text));
    if (mentionIndex >= 0) mention = { file, line: mentionIndex + 1 };
  }
  return mention;
}

/** Lines up to the next one at the indentation of the first, unless it only closes the declaration. */
function declarationFrom(lines: readonly string[]): readonly string[] {
  const indentOf = (text: string) => text.search(/\S/);
  const [first = ''] = lines;
  const next = lines.findIndex(
    (text, index) => index > 0 && /^\s*[^\s)\]}]/.test(text) && indentOf(text) <= indentOf(first),
  );
  return next < 0 ? lines : lines.slice(0, next);
}

/** Names quoted in a message, last first, since the subject usually follows its owner. A path comes before the name it ends with. */
export function namesIn(message: string): string[] {
  const names = [...message.matchAll(/[“"`]([\w.-]+)[”"`]/g)].map(([, name = '']) => name).reverse();
  return [...new Set(names.flatMap((name) => [...names.filter((path) => path.endsWith(`.${name}`)), name]))];
}
