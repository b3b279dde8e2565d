import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodeFolder } from '@pergola/core';
import type { OnResolveResult, PluginBuild } from 'esbuild';

/** What a file imports of the face: `import { t, url as link } from 'pergola/browser'`. */
const IMPORTED = /\b(?:import|export)\s*\{([^}]*)\}\s*from\s*['"]pergola\/browser['"]/g;
/** What says texts, and the function of the face that says those of an addon. */
const SPEAKERS: Readonly<Record<string, string>> = { t: 'translate', plural: 'translatePlural' };

/**
 * Lets `t` and `plural` of `pergola/browser` say the texts of the addon in whose file they are imported. Such a file gets them through a module of its own:
 * it always ends in the same chunk as the file, so that there is none more for browsers to load.
 *
 * ```
 * forum/islands/votes.tsx ── t, url ──▶ (its own module) ── translate, url ──▶ pergola/browser
 *                                       t = translate.bind(null, 'forum')
 * ```
 */
export class OwnTexts {
  readonly #source: CodeFolder;
  /** Other addons whose files the build holds. */
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

  /** Files below a folder are of this addon, too. */
  add(owner: CodeFolder): void {
    this.#others.push(owner);
  }

  /** Where a file finds `pergola/browser`. */
  async resolve(importer: string): Promise<OnResolveResult> {
    const says = importedNames(await readFile(importer, 'utf8')).some((name) => name in SPEAKERS);
    return says ? { path: importer, namespace: 'own-texts' } : { path: this.#face, external: true };
  }

  #moduleFor(file: string, names: readonly string[]): string {
    const { name: addon } = this.#others.find(({ folder }) => file.startsWith(folder + path.sep)) ?? this.#source;
    const lines = names.map((name) => {
      const speaker = SPEAKERS[name];
      return speaker === undefined
        ? `export { ${name} } from 'face';`
        : `import { ${speaker} } from 'face';\nexport const ${name} = /* @__PURE__ */ ${speaker}.bind(null, ${JSON.stringify(addon)});`;
    });
    return lines.join('\n');
  }
}

/** Names that a file imports of the face, types left out. */
function importedNames(code: string): string[] {
  const names = [...code.matchAll(IMPORTED)].flatMap(([, list = '']) => list.split(','));
  return [...new Set(names.map((name) => name.trim().split(/\s+as\s+/)[0] ?? '').filter((name) => /^\w+$/.test(name)))];
}
