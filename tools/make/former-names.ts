import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FormerName } from './kinds.ts';

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
  return names.flatMap(({ name, todo }) => {
    const isNamed = new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`);
    const places = files.flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((text, index) =>
          isNamed.test(text) ? [`${file}:${index + 1}: ${text.trim().slice(0, MAX_LETTERS)}`] : [],
        ),
    );
    if (places.length === 0) return [];
    const more = places.length - MAX_PLACES;
    const moreLine = more > 0 ? [`  … and ${more} more`] : [];
    return [
      `${todo} by hand wherever it means the ${name.includes('.') ? 'model' : 'field'}:`,
      ...places.slice(0, MAX_PLACES).map((place) => `  ${place}`),
      ...moreLine,
    ];
  });
}
