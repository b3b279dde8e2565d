import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { FormerName } from './kinds.ts';

/** Code, templates and styles of an addon. Texts follow by `pergola i18n extract`. */
const FILES = '**/*.{ts,tsx,hbs,scss,md}';

/** Places that are listed; more are counted. */
const MAX_PLACES = 20;

/** Letters of a line that are shown. */
const MAX_LETTERS = 100;

/**
 * Lists where an addon still has the former name of a field or model.
 *
 * @param created files of the migration itself, which has to know the name
 * @returns lines that tell what to change; none if the name occurs nowhere
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
    const rest = more > 0 ? [`  … and ${more} more`] : [];
    return [
      `${todo} by hand, where it is the ${name.includes('.') ? 'model' : 'field'}:`,
      ...places.slice(0, MAX_PLACES).map((place) => `  ${place}`),
      ...rest,
    ];
  });
}
