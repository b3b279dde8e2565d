import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlias, isInside, resolveAlias, type Sentence, sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import { type CodeFile, readCode } from './code-file.ts';
import { constantText } from './constants.ts';
import { isCall, unwrapped } from './syntax.ts';

/** Read only if code outside of them loads their files. */
const skippedFolders: readonly string[] = ['node_modules', 'tests', 'dist', '.git', '.build'];
const codeExtension = /\.[cm]?[jt]sx?$/;

/** A file that can't be analysed, and why. */
export interface UnreadableFile {
  readonly file: string;
  readonly line: number;
  readonly reason: Sentence;
}

/** Files of an addon, without tests and packed copies unless its code loads them. */
export interface AddonFiles {
  readonly code: readonly CodeFile[];
  /** absolute paths of templates and style sheets */
  readonly markup: readonly string[];
  readonly unreadable: readonly UnreadableFile[];
  readonly manifest: CodeFile | null;
}

/**
 * Reads the files in a folder.
 *
 * @param folder absolute, real path
 */
export function readAddonFiles(folder: string): AddonFiles {
  const code = new Map<string, CodeFile>();
  /** Files that a file loads or may load. */
  const loads = new Map<string, readonly string[]>();
  const markup: string[] = [];
  const unreadable: UnreadableFile[] = [];
  const nameIn = (path: string): string => relative(folder, path).split(sep).join('/');
  const pending = listFiles(folder, (path) =>
    unreadable.push({
      file: nameIn(path),
      line: 1,
      reason: sentence('Contains a link to a file outside of its folder'),
    }),
  );
  const seen = new Set<string>();
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const file = nameIn(path);
    if (/\.(hbs|html|s?css)$/.test(path)) markup.push(path);
    if (/\.(node|wasm)$/.test(path))
      unreadable.push({ file, line: 1, reason: sentence('Contains a compiled program') });
    if (!codeExtension.test(path) || /\.d\.[cm]?ts$/.test(path)) continue;
    try {
      const read = readCode(readFileSync(path, 'utf8'), { path, file });
      code.set(path, read);
      const targets = importedFiles(read).filter((target) => isInside(folder, target));
      loads.set(path, targets);
      // Code may hide in folders that are skipped otherwise.
      pending.push(...targets);
    } catch {
      unreadable.push({ file, line: 1, reason: sentence('Contains a file that can’t be analysed') });
    }
  }
  const all = [...code.values()];
  // Files without an importer count as server code: they may be loaded in ways that aren't seen.
  const reachable = (entries: RegExp): ReadonlySet<string> =>
    reachableFrom(
      all.filter(({ file }) => entries.test(file)).map(({ path }) => path),
      loads,
    );
  const onServer = reachable(/^(data|demo|migrations)\/|^(?!browser\.)[^/]+$/);
  const inIslands = reachable(/^islands\//);
  const inBrowsers = reachable(/(^|\/)(behaviours|browser|static)\/|^browser\./);
  const placeOf = ({ path }: CodeFile): CodeFile['runsOn'] => {
    if (onServer.has(path)) return 'server';
    if (inIslands.has(path)) return 'island';
    return inBrowsers.has(path) ? 'browser' : 'server';
  };
  const sorted = all.map((code) => ({ ...code, runsOn: placeOf(code) })).sort((a, b) => (a.file < b.file ? -1 : 1));
  return {
    code: sorted,
    markup: markup.sort(),
    unreadable,
    manifest: sorted.find(({ file }) => file === 'addon.ts' || file === 'addon.js') ?? null,
  };
}

function listFiles(folder: string, onLink: (path: string) => void): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && !existsSync(path)) return [];
    if (entry.isSymbolicLink()) {
      const target = realpathSync(path);
      if (!isInside(folder, target)) onLink(path);
      return lstatSync(target).isFile() ? [path] : [];
    }
    if (entry.isFile()) return /\.test\.[cm]?[jt]sx?$/.test(entry.name) ? [] : [path];
    return skippedFolders.includes(entry.name) ? [] : listFiles(path, onLink);
  });
}

/** These files, and all that they load, directly or not. */
function reachableFrom(entries: readonly string[], loads: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set(entries);
  for (const path of found) for (const target of loads.get(path) ?? []) found.add(target);
  return found;
}

/** Files that a file imports or, as any other text in it names them, may load. Node loads no `.tsx` by a text. */
function importedFiles(code: CodeFile): string[] {
  return code.nodes.flatMap((node) => {
    if (!['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(node.type)) return [];
    const text = constantText(code, node);
    if (!text || text.length > 300 || !/^(\.{1,2}\/|\/|file:)./.test(text)) return [];
    const parent = code.parentOf(node);
    const isType =
      parent !== null &&
      (parent.type.startsWith('TS') ||
        ('importKind' in parent && parent.importKind === 'type') ||
        ('exportKind' in parent && parent.exportKind === 'type'));
    const isImport = parent !== null && ('source' in parent || isCall(parent));
    return isType || (!isImport && text.endsWith('.tsx')) ? [] : (resolveFile(code.path, text) ?? []);
  });
}

function resolveFile(importer: string, specifier: string): string | null {
  const path = specifier.startsWith('file:')
    ? fileURLToPath(specifier)
    : join(specifier.startsWith('/') ? '/' : dirname(importer), specifier);
  const candidates =
    extname(path) === '.js'
      ? [path, `${path.slice(0, -3)}.ts`]
      : [path, `${path}.ts`, `${path}.js`, join(path, 'index.js')];
  return candidates.find((candidate) => existsSync(candidate) && lstatSync(candidate).isFile()) ?? null;
}

/** Names of models by the classes that declare them, in the addon and in those it imports. */
export class ModelNames {
  readonly #roots: readonly string[];
  readonly #files = new Map<string, CodeFile | null>();
  readonly #found = new Map<string, string | null>();

  /** @param roots folders with addons, see `addonRoots` */
  constructor(roots: readonly string[], files: readonly CodeFile[]) {
    this.#roots = roots;
    for (const file of files) this.#files.set(file.path, file);
  }

  /** The model of a class that a file imports from a module; of the file itself, if the module is empty. */
  of(importer: string, module: string, name: string): string | null {
    const path = this.#resolve(importer, module);
    if (path === null) return null;
    const key = `${path}#${name}`;
    const cached = this.#found.get(key);
    if (cached !== undefined) return cached;
    // For modules that export from each other.
    this.#found.set(key, null);
    const found = this.#find(path, name);
    this.#found.set(key, found);
    return found;
  }

  #resolve(importer: string, module: string): string | null {
    if (module === '') return importer;
    return isAlias(module)
      ? resolveAlias(module, this.#roots)
      : /^[./]/.test(module)
        ? resolveFile(importer, module)
        : null;
  }

  #read(path: string): CodeFile | null {
    const cached = this.#files.get(path);
    if (cached !== undefined) return cached;
    let code: CodeFile | null = null;
    try {
      code = readCode(readFileSync(path, 'utf8'), { path, file: path });
    } catch {
      // The addon that owns the file reports it.
    }
    this.#files.set(path, code);
    return code;
  }

  #find(path: string, name: string): string | null {
    const code = this.#read(path);
    if (!code) return null;
    for (const statement of code.program.body) {
      if (statement.type === 'ExportAllDeclaration') {
        const found = this.of(path, statement.source.value, name);
        if (found) return found;
      }
      if (statement.type === 'ExportNamedDeclaration' && statement.source)
        for (const { exported, local } of statement.specifiers)
          if ('name' in exported && exported.name === name && 'name' in local)
            return this.of(path, statement.source.value, local.name);
      const inner: Node | null = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (inner?.type === 'ClassDeclaration' && inner.id?.name === name) return this.#modelIn(code, inner.superClass);
      if (inner?.type === 'VariableDeclaration')
        for (const { id, init } of inner.declarations)
          if (id.type === 'Identifier' && id.name === name) return this.#modelIn(code, init);
      if (statement.type === 'ImportDeclaration')
        for (const specifier of statement.specifiers)
          if (specifier.local.name === name && specifier.type === 'ImportSpecifier' && 'name' in specifier.imported)
            return this.of(path, statement.source.value, specifier.imported.name);
    }
    return null;
  }

  /** The model that `model('name', …)` declares, or that `extend(Class, …)` extends. */
  #modelIn(code: CodeFile, node: Node | null): string | null {
    const value = node ? unwrapped(node) : null;
    if (!value) return null;
    if (value.type === 'Identifier') return this.of(code.path, '', value.name);
    if (!isCall(value)) return null;
    const first = value.arguments[0] as Node | undefined;
    const callee = unwrapped(value.callee);
    if (callee.type !== 'Identifier') return null;
    if (callee.name === 'model') return constantText(code, first) ?? null;
    return callee.name === 'extend' && first?.type === 'Identifier' ? this.of(code.path, '', first.name) : null;
  }
}
