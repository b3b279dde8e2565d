import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodeFolder } from '@pergola/core';
import type { OnResolveResult, PluginBuild } from 'esbuild';

/** Imports from the browser face, such as `import { t, url as link } from 'pergola/browser'`. */
const IMPORTED = /\b(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]pergola\/browser['"]/g;
/** Translation functions of the browser face, with the functions that create them for an addon. */
const TRANSLATORS: Readonly<Record<string, string>> = { t: 'tOf', plural: 'pluralOf' };

/**
 * Binds `t` and `plural` of `pergola/browser` to the addon whose file imports them. Each such file gets a module of its own for this, which always
 * ends up in the same chunk, so browsers make no extra request.
 *
 * ```
 * forum/islands/votes.tsx ── t, url ──▶ (its own module) ── tOf, url ──▶ pergola/browser
 *                                       t = tOf('forum')
 * ```
 */
export class OwnTexts {
  readonly #source: CodeFolder;
  /** Other addons whose files are part of the build. */
  readonly #others: CodeFolder[] = [];
  readonly #face: string;

  /** @param face where `pergola/browser` is */
  constructor(build: PluginBuild, source: CodeFolder, face: string) {
    this.#source = source;
    this.#face = face;
    build.onResolve({ filter: /^face$/, namespace: 'own-texts' }, () => ({ path: face, external: true }));
    build.onLoad({ filter: /./, namespace: 'own-texts' }, async ({ path: file }) => ({
      contents: this.#moduleFor(file, importedNames(await readFile(file, 'utf8'))),
    }));
  }

  /** Adds an addon whose files are part of the build. */
  add(owner: CodeFolder): void {
    this.#others.push(owner);
  }

  /** Resolves `pergola/browser` for a file. */
  async resolve(importer: string): Promise<OnResolveResult> {
    const translates = importedNames(await readFile(importer, 'utf8')).some((name) => name in TRANSLATORS);
    return translates ? { path: importer, namespace: 'own-texts' } : { path: this.#face, external: true };
  }

  #moduleFor(file: string, names: readonly string[]): string {
    const { name: addon } = this.#others.find(({ folder }) => file.startsWith(folder + path.sep)) ?? this.#source;
    // In one statement, since each of them stays in what browsers load.
    const imported = names.map((name) => TRANSLATORS[name] ?? name).join(', ');
    const lines = names.map((name) =>
      name in TRANSLATORS
        ? `export const ${name} = /* @__PURE__ */ ${TRANSLATORS[name]}(${JSON.stringify(addon)});`
        : `export { ${name} };`,
    );
    return [`import { ${imported} } from 'face';`, ...lines].join('\n');
  }
}

/** Names that a file imports from the face, without types. */
function importedNames(code: string): string[] {
  const names = [...code.matchAll(IMPORTED)].flatMap(([, list = '']) => list.split(','));
  return [...new Set(names.map((name) => name.trim().split(/\s+as\s+/)[0] ?? '').filter((name) => /^\w+$/.test(name)))];
}
