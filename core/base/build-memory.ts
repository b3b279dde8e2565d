import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository } from './addon-folders.ts';
import type { Log } from './log.ts';

/**
 * Results computed from the texts of templates and catalogues while building generations. They only depend on the text, so the next start
 * reuses them.
 */
export interface BuildMemory {
  /** Returns the stored result for this text, or calls `make`. `kind` names the type of result, which must be plain JSON data. */
  recall<T>(kind: string, text: string, make: () => T): T;
  /** Stores new results for the next start. A failed write is only logged, since results can be recomputed. */
  save(): Promise<void>;
}

/** More than any site needs: beyond that, the rest comes from other sets of addons. */
const MAX_ENTRIES = 20_000;

/** Code that the results depend on. */
const sourceFolders = [
  'packages/pages',
  'packages/pages/check',
  'packages/pages/helpers',
  'packages/pages/patch',
  'packages/pages/source',
  'packages/texts',
];

/** Creates a memory that lasts as long as the process. */
export function shortMemory(): BuildMemory {
  const results = new Map<string, unknown>();
  return {
    recall: (kind, text, make) => recallFrom(results, new Set(), keyOf(kind, text), make),
    save: async () => {},
  };
}

/** Creates a memory stored in a file. A file that is unreadable or was written by other code counts as empty. */
export function lastingMemory(file: string, log: Log): BuildMemory {
  const code = codeKey();
  const results = read(file, code);
  const used = new Set<string>();
  let saved = results.size;
  return {
    recall: (kind, text, make) => recallFrom(results, used, keyOf(kind, text), make),
    async save() {
      if (results.size === saved) return;
      saved = results.size;
      const entries = [...results].filter(([key]) => results.size <= MAX_ENTRIES || used.has(key));
      try {
        await mkdir(dirname(file), { recursive: true });
        const draft = `${file}.${process.pid}`;
        await writeFile(draft, JSON.stringify({ code, entries }));
        await rename(draft, file);
      } catch (error) {
        log.warn({ err: error, file }, 'The results of a start could not be stored for the next one');
      }
    },
  };
}

function recallFrom<T>(results: Map<string, unknown>, used: Set<string>, key: string, make: () => T): T {
  used.add(key);
  if (results.has(key)) return results.get(key) as T;
  const result = make();
  results.set(key, result);
  return result;
}

function keyOf(kind: string, text: string): string {
  return createHash('sha1').update(kind).update('\0').update(text).digest('base64url');
}

function read(file: string, code: string): Map<string, unknown> {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { code?: unknown; entries?: [string, unknown][] };
    return new Map(stored.code === code ? stored.entries : []);
  } catch {
    return new Map();
  }
}

/** Changes whenever a file that computes results does. */
function codeKey(): string {
  const files = sourceFolders.flatMap((folder) => {
    const entries = readdirSync(join(repository, folder), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(repository, folder, name));
  });
  const stamps = files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file} ${size} ${Math.round(mtimeMs)}`;
  });
  return createHash('sha1').update(stamps.join('\n')).digest('base64url');
}
