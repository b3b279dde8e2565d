import { globSync } from 'node:fs';
import type { SourceMap } from 'node:module';
import path from 'node:path';
import { lineNaming, ownStack, repository, showProblem, sourceLines } from '@pergola/core';
import { pascalCase, sourceMapIn, sourcePlace } from '@pergola/islands';

const place = /(?:https?:\/\/[^/\s)]+)?(\/_assets\/[\w./-]+\.js):(\d+):(\d+)/g;

/**
 * Translates the positions in a browser's stack trace from built files to source files: `addons/forum/islands/vote.tsx:12:3`.
 *
 * @param load loads a built script by its path, including its source map
 */
export async function withSourcePlaces(stack: string, load: (address: string) => Promise<string>): Promise<string> {
  const maps = new Map<string, SourceMap | null>();
  for (const [, address = ''] of stack.matchAll(place))
    if (!maps.has(address)) maps.set(address, sourceMapIn(await load(address).catch(() => '')));
  return stack.replace(place, (match, address: string, line: string, column: string) => {
    // A folder as deep as the build folders, to resolve relative paths.
    const source = sourcePlace(maps.get(address), path.join(repository, '.build/dev/addon/browser'), [line, column]);
    return source === null ? match : path.relative(repository, source);
  });
}

/**
 * Formats a page's error with the addon's line first; calls of the core and of packages are only counted.
 *
 * @param stack result of {@link withSourcePlaces}
 * @param folders folders of all addons by name
 */
export function authorFirst(stack: string, folders: ReadonlyMap<string, string>): string {
  const place = callOfAddon(stack, folders) ?? islandOf(stack, folders);
  if (!place) return stack;
  const { addon, folder, path: file, line } = place;
  const [message = ''] = stack.split('\n');
  const problem = { addon, file: path.relative(folder, file), line, message, source: sourceLines(file, line) };
  // Built files of the core count as core code.
  const calls = stack.replace(/https?:\/\/[^\s)]+\/_assets\/core\//g, `${repository}/core/`);
  return `${showProblem(problem)}\n\n${ownStack(calls)}`;
}

interface AddonPlace {
  readonly addon: string;
  readonly folder: string;
  readonly path: string;
  readonly line: number;
}

function callOfAddon(stack: string, folders: ReadonlyMap<string, string>): AddonPlace | null {
  for (const [, name = '', digits] of stack.matchAll(/([\w./@-]+\.[jt]sx?):(\d+):\d+/g)) {
    const file = path.resolve(repository, name);
    const [addon, folder] = [...folders].find(([, root]) => file.startsWith(root + path.sep)) ?? [];
    if (addon !== undefined && folder !== undefined) return { addon, folder, path: file, line: Number(digits) };
  }
  return null;
}

/** The island component named in the message: React doesn't give positions of components without hooks. */
function islandOf(stack: string, folders: ReadonlyMap<string, string>): AddonPlace | null {
  const [, addon = '', name = ''] = /^Island (\w+)\.(\w+)/.exec(stack) ?? [];
  const folder = folders.get(addon) ?? '';
  const file = globSync('islands/*.tsx', { cwd: folder || undefined }).find(
    (file) => pascalCase(path.parse(file).name) === name,
  );
  if (folder === '' || file === undefined) return null;
  const components = [...stack.matchAll(/^\s+at ([A-Z]\w*) /gm)].map(([, component = '']) => `function ${component}`);
  const place = path.join(folder, file);
  return { addon, folder, path: place, line: lineNaming(place, [...components, 'export default']) ?? 1 };
}
