import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../../core/base/addon-folders.ts';

/** A file of the addon that the recipes of `docs/cookbook/` make together. */
export interface CookbookFile {
  /** The page it stands on. */
  readonly page: string;
  /** Relative to the folder of addon studio. */
  readonly file: string;
  readonly content: string;
}

const folder = path.join(repository, 'docs/cookbook');

/** Every block of code of the cookbook that stands under the name of its file. */
export const cookbook: readonly CookbookFile[] = readdirSync(folder).flatMap((page) =>
  [...readFileSync(path.join(folder, page), 'utf8').matchAll(/^`(\S+)`\n\n```\w+\n([\s\S]*?)\n```/gm)].map(
    ([, file = '', content = '']) => ({ page, file, content: `${content}\n` }),
  ),
);

/** Blocks of code under no name, which are no part of the addon: nobody would notice if they were wrong. */
export const unnamed: readonly string[] = readdirSync(folder).flatMap((page) =>
  [...readFileSync(path.join(folder, page), 'utf8').matchAll(/(?<!^`\S+`\n\n)^```(?:tsx?|hbs)\n(.*)/gm)].map(
    ([, first = '']) => `${page}: ${first}`,
  ),
);

/** Writes the addons into a folder within the repository, where the compiler and Node find everything, and answers it. */
export function writeCookbook(): string {
  const made = path.join(repository, 'var');
  mkdirSync(made, { recursive: true });
  const root = mkdtempSync(path.join(made, 'cookbook-'));
  for (const { file, content } of cookbook) {
    const target = path.join(root, 'addons/studio', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return root;
}
