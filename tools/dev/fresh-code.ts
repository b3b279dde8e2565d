import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '@pergola/core';

/**
 * Lets a process load saved code of addons anew. Node keeps every module by its address, for good: so the address of what was saved, and of all that
 * imports it, gets a number, `routes.ts?saved=2`. What did not change stays the module it is.
 */
export class FreshCode {
  /** Modules by what they import. */
  readonly #importers = new Map<string, Set<string>>();
  readonly #saved = new Map<string, number>();
  #turn = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const found = nextResolve(specifier, context);
        if (!isFollowed(found.url)) return found;
        const importers = this.#importers.get(found.url) ?? new Set();
        this.#importers.set(found.url, importers);
        if (context.parentURL) importers.add(withoutNumber(context.parentURL));
        const turn = this.#saved.get(found.url);
        return turn === undefined ? found : { ...found, url: `${found.url}?saved=${turn}` };
      },
    });
  }

  /** The next time these files, and whatever imports them, are loaded anew. */
  forget(files: readonly string[]): void {
    this.#forget(files.map((file) => pathToFileURL(file).href));
  }

  /** The next time all code of addons is loaded anew: Node keeps what failed, too. */
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

/** Code of addons: neither the core's nor a package's. */
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
