import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '@pergola/core';

/**
 * Reloads saved addon code in a running process. Node caches modules by URL for good, so saved modules and all their importers get a
 * numbered URL, `routes.ts?saved=2`. Unchanged modules are reused.
 */
export class FreshCode {
  /** Importers by module URL. */
  readonly #importers = new Map<string, Set<string>>();
  readonly #saved = new Map<string, number>();
  #turn = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const resolved = nextResolve(specifier, context);
        if (!isFollowed(resolved.url)) return resolved;
        const importers = this.#importers.get(resolved.url) ?? new Set();
        this.#importers.set(resolved.url, importers);
        if (context.parentURL) importers.add(withoutNumber(context.parentURL));
        const turn = this.#saved.get(resolved.url);
        return turn === undefined ? resolved : { ...resolved, url: `${resolved.url}?saved=${turn}` };
      },
    });
  }

  /** Makes the next import reload these files and all modules that import them. */
  forget(files: readonly string[]): void {
    this.#forget(files.map((file) => pathToFileURL(file).href));
  }

  /** Makes the next import reload all addon code, since Node caches failures too. */
  forgetAll(): void {
    this.#forget([...this.#importers.keys()]);
  }

  #forget(modules: readonly string[]): void {
    this.#turn += 1;
    const stale = new Set(modules);
    for (const module of stale) for (const importer of this.#importers.get(module) ?? []) stale.add(importer);
    for (const module of stale) this.#saved.set(module, this.#turn);
  }
}

const repositoryCore = ['core', 'packages', 'tools', 'bin'].map(
  (folder) => pathToFileURL(join(repository, folder) + sep).href,
);

/** Whether a module belongs to an addon, not to the core or a package. */
function isFollowed(url: string): boolean {
  return (
    url.startsWith('file:') &&
    !url.includes('/node_modules/') &&
    !repositoryCore.some((folder) => url.startsWith(folder))
  );
}

function withoutNumber(url: string): string {
  return url.replace(/\?saved=\d+$/, '');
}
