import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { createLog, type Log } from '../../../core/base/log.ts';
import type { Ctx } from '../../../core/context/context.ts';
import type { Addon } from '../../../core/kernel/addon.ts';
import { idleBreakers } from '../../../tools/testing/idle-breakers.ts';
import { createCatalogs } from '../../texts/catalog.ts';
import { type AssetOptions, buildAssets } from '../assets.ts';

/** Files of an addon, by path: `islands/counter.tsx`. */
export type Files = Readonly<Record<string, string>>;

/** An island with its props file. */
export function islandFiles(name: string, component: string, schema = 'z.object({ start: z.number() })'): Files {
  return {
    [`islands/${name}.tsx`]: component,
    [`islands/${name}.props.ts`]: `import { z } from 'pergola';\nexport default ${schema};\n`,
  };
}

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'islands-'));
}

export function writeFiles(folder: string, files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
}

/** An addon of these files, outside the repository. */
export function writeAddon(name: string, files: Files, behaviours: Readonly<Record<string, string>> = {}): Addon {
  const folder = path.join(temporaryFolder(), 'addons', name);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  const definition = { name, title: name, summary: name, version: '1.0.0', behaviours };
  return { name, folder, outside: true, files: {}, definition };
}

/** What was logged as an error. */
export interface Heard {
  readonly log: Log;
  readonly errors: { readonly about: Record<string, unknown>; readonly text: string }[];
}

export function listen(): Heard {
  const errors: Heard['errors'] = [];
  const log = createLog('silent');
  jest.spyOn(log, 'error').mockImplementation((about: unknown, text?: unknown) => {
    errors.push({ about: about as Record<string, unknown>, text: String(text) });
  });
  return { log, errors };
}

export async function build(addons: readonly Addon[], options: Partial<AssetOptions> = {}) {
  const built = await buildAssets(addons, {
    dev: false,
    behaviours: new Map(addons.map(({ name, definition }) => [name, definition.behaviours ?? {}])),
    log: createLog('silent'),
    breakers: idleBreakers(),
    catalogs: createCatalogs([]),
    languages: ['en_US'],
    roots: addons.map(({ folder }) => path.dirname(folder)),
    ...options,
  });
  await built.assets.ready();
  return built;
}

/** As much of a context as rendering an island takes. */
export function reader(lang = 'en_US'): Ctx {
  return { lang } as unknown as Ctx;
}

/** Where an island stands in these tests. */
export const place = { prefix: '', csrf: () => '' };
