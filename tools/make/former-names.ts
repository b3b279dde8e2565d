import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FormerName } from './kinds.ts';
import { modelsIn, otherMeanings } from './other-meanings.ts';

/** Code, templates and styles of an addon. Texts are updated by `pergola i18n extract`. */
const FILES = '**/*.{ts,tsx,hbs,scss,md}';

/** Number of places to list; the rest is only counted. */
const MAX_PLACES = 20;

/** Number of characters of a line to show. */
const MAX_LETTERS = 100;

/**
 * Lists where an addon still uses the old name of a field or model.
 *
 * @param created files of the migration itself, which needs the old name
 * @returns lines with instructions; empty if the name no longer occurs
 */
export function formerNames(folder: string, names: readonly FormerName[], created: readonly string[]): string[] {
  const isSkipped = (file: string): boolean => /^(node_modules|dist|\.build|migrations)$/.test(file);
  const files = globSync(FILES, { cwd: folder, exclude: isSkipped })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !created.includes(file))
    .sort();
  const sources = files.map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }));
  const modelOf = new Map(
    sources.flatMap(({ file, source }) => (isCode(file) ? modelsIn(source, file.endsWith('x')) : [])),
  );
  return names.flatMap(({ name, model, todo }) => {
    const isNamed = new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`, 'g');
    const places = sources.flatMap(({ file, source }) => {
      const tsx = file.endsWith('x');
      const others = model !== null && isCode(file) ? otherMeanings(source, { tsx, model, modelOf }) : [];
      const spans = others.concat(model !== null && file.endsWith('.hbs') ? attributeNames(source) : []);
      // In bytes, like the spans.
      const letters = Buffer.from(source).toString('latin1');
      const offsets = [...letters.matchAll(isNamed)]
        .map(({ index }) => index)
        .filter((offset) => !spans.some(([start, end]) => start <= offset && offset < end));
      const lines = new Set(offsets.map((offset) => letters.slice(0, offset).split('\n').length));
      const texts = source.split('\n');
      return [...lines].map((line) => `${file}:${line}: ${(texts[line - 1] ?? '').trim().slice(0, MAX_LETTERS)}`);
    });
    if (places.length === 0) return [];
    const more = places.length - MAX_PLACES;
    const moreLine = more > 0 ? [`  … and ${more} more`] : [];
    return [
      `${todo} by hand wherever it means the ${model === null ? 'model' : 'field'}:`,
      ...places.slice(0, MAX_PLACES).map((place) => `  ${place}`),
      ...moreLine,
    ];
  });
}

function isCode(file: string): boolean {
  return /\.tsx?$/.test(file);
}

/** Names of HTML attributes in a template. */
function attributeNames(source: string): [number, number][] {
  const letters = Buffer.from(source).toString('latin1');
  return [...letters.matchAll(/(?<=\s)[\w-]+(?==["{])/g)]
    .filter(({ index }) => letters.lastIndexOf('{{', index) <= letters.lastIndexOf('}}', index))
    .map(({ index, 0: { length } }) => [index, index + length]);
}
