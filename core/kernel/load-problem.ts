import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TransformFailure, transformSync } from 'esbuild';
import { type CodeFolder, type Problem, problemIn, reachable, wayBack } from '../base/index.ts';

/** A source file of an addon, relative to its folder. */
interface CodePlace {
  readonly owner: CodeFolder;
  readonly file: string;
  readonly line?: number;
}

/**
 * Explains why the module of an addon can't be loaded. If the error is in another addon's file, only that addon is blamed.
 *
 * @param folders of all addons
 */
export function loadProblem(addon: CodeFolder, file: string, error: unknown, folders: readonly CodeFolder[]): Problem {
  const addonFirst = [addon, ...folders.filter((folder) => folder !== addon)];
  const { remedy, ...problem } = {
    ...problemIn(error, addonFirst),
    ...missingFile(error, addonFirst),
    ...circularImport(error, addonFirst),
    ...brokenSyntax(error, join(addon.folder, file), addonFirst),
  };
  if (problem.addon !== addon.name && problem.addon !== 'core')
    return {
      addon: addon.name,
      file,
      message: `is left out because it imports ${problem.addon}, which cannot be loaded.`,
      because: problem.addon,
    };
  const message = `cannot be loaded: ${problem.message.split('\n')[0]}`;
  return { file, ...problem, addon: addon.name, message, ...(remedy ? { remedy } : {}) };
}

/** Finds the line of an import whose file doesn't exist. */
function missingFile(error: unknown, folders: readonly CodeFolder[]): Partial<Problem> {
  const { message = '' } = error as { message?: string };
  const [, missing = '', importer = ''] = /^Cannot find module '(.+)' imported from (.+)$/.exec(message) ?? [];
  const place = placeOf(importer, folders);
  if (!place) return {};
  const missingImport = importsOf(importer).find(({ target }) => target === pathOf(missing));
  const name = relative(place.owner.folder, pathOf(missing));
  return {
    addon: place.owner.name,
    file: place.file,
    line: missingImport?.line,
    message: `the file ${name} does not exist.`,
    remedy: 'Correct the path of the import.',
  };
}

/** Finds the files that import each other, so one of them runs before its imports are initialized. */
function circularImport(error: unknown, folders: readonly CodeFolder[]): Partial<Problem> {
  const { message = '' } = error as { message?: string };
  const [, name = ''] = /^Cannot access '(.+)' before initialization$/.exec(message) ?? [];
  const { addon, file } = name ? problemIn(error, folders) : { addon: '', file: undefined };
  const owner = folders.find((folder) => folder.name === addon);
  if (!owner || !file) return {};
  const circle = wayBack(join(owner.folder, file), (path) => importsOf(path).map(({ target }) => target));
  if (!circle) return {};
  const files = [...circle, circle[0] ?? ''].map((path) => relative(owner.folder, path));
  return {
    message: `these files import each other, so “${name}” is used before it exists: ${files.join(' → ')}.`,
    remedy: 'Take one of the imports out; what both need belongs in a third file.',
  };
}

/** Finds the line of a JavaScript syntax error: V8 doesn't report it, while Node does for TypeScript. */
function brokenSyntax(error: unknown, start: string, folders: readonly CodeFolder[]): Partial<Problem> {
  if (!(error instanceof SyntaxError) || problemIn(error, folders).file) return {};
  for (const file of reachable([start], (path) => importsOf(path).map(({ target }) => target))) {
    const place = placeOf(file, folders);
    const line = place && brokenLine(file);
    if (line) return { addon: place.owner.name, file: place.file, line };
  }
  return {};
}

function brokenLine(file: string): number | undefined {
  try {
    transformSync(readFileSync(file, 'utf8'), { logLevel: 'silent' });
    return undefined;
  } catch (error) {
    return (error as Partial<TransformFailure>).errors?.[0]?.location?.line;
  }
}

function placeOf(path: string, folders: readonly CodeFolder[]): CodePlace | undefined {
  const absolute = path && pathOf(path);
  const owner = folders.find(({ folder }) => absolute.startsWith(folder + sep));
  return owner && { owner, file: relative(owner.folder, absolute) };
}

function pathOf(path: string): string {
  return (path.startsWith('file:') ? fileURLToPath(path) : path).replace(/\?.*$/, '');
}

/** Relative imports of values, with their lines. */
function importsOf(file: string): { readonly target: string; readonly line: number }[] {
  let lines: string[];
  try {
    lines = readFileSync(pathOf(file), 'utf8').split('\n');
  } catch {
    return [];
  }
  return lines.flatMap((text, index) => {
    const [, specifier] = /^(?!import type|export type).*\b(?:from|import) '(\.[^']+)'/.exec(text) ?? [];
    return specifier ? [{ target: resolve(dirname(pathOf(file)), specifier), line: index + 1 }] : [];
  });
}
