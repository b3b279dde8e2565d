import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repository } from '@pergola/core';
import type { Fault } from './sources.ts';

/** Declarations of an addon's parts, by the `defineAddon` property that lists them. */
const declarations: readonly (readonly [member: string, pattern: RegExp])[] = [
  ['services', /^export class (\w+) extends service\(/],
  ['models', /^export class (\w+) extends model\(/],
  ['routes', /^export const (\w+) = (?:route\.\w+|action)\(/],
  ['jobs', /^export const (\w+) = job\(/],
  ['mails', /^export const (\w+) = mail[(<]/],
  ['blocks', /^export const (\w+) = block\(/],
  ['fragments', /^export const (\w+) = fragment\(/],
  ['settings', /^export const (\w+) = setting\(/],
];

/**
 * Finds services, models, routes and the like that an addon declares but doesn't list: they would be missing on the first request that
 * needs them. A name counts as listed if it appears between brackets or commas in the addon's code.
 */
export function unlistedParts(folders: ReadonlyMap<string, string>): Fault[] {
  return [...folders.values()].flatMap((folder) => {
    const files = globSync('**/*.ts', {
      cwd: folder,
      exclude: (name) => /^(node_modules|tests|\.build|dist)$/.test(name),
    });
    const sources = files.map((file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }));
    const listed = new Set(sources.flatMap(({ source }) => listedIn(source)));
    return sources.flatMap(({ file, source }) =>
      source.split('\n').flatMap((text, index): Fault[] => {
        for (const [member, pattern] of declarations) {
          const [, name] = pattern.exec(text) ?? [];
          if (name === undefined || listed.has(name)) continue;
          const message = `“${name}” isn’t listed. Add it to \`${member}\` of the addon.`;
          return [{ file: relative(repository, join(folder, file)), line: index + 1, message }];
        }
        return [];
      }),
    );
  });
}

/** Names between brackets or commas, outside of imports: `[Desk, Prices]`. */
function listedIn(source: string): string[] {
  const code = source.replace(/^import\b[^;]*;/gm, '');
  return [...code.matchAll(/(?<=[[,]\s*)\w+(?=\s*[,\]])/g)].map(([name]) => name);
}
