import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, registerResolve, repository } from '@pergola/core';
import type { Project } from 'typescript/unstable/sync';
import { checkAddresses } from './check-addresses.ts';
import { checkArguments } from './check-arguments.ts';
import { checkValues } from './check-values.ts';
import { loadAddons } from './loaded-addons.ts';
import type { Fault, TemplateSources } from './sources.ts';

/** Problems of templates and the code around them. */
export interface TemplateFaults {
  readonly faults: readonly Fault[];
  /** Whether field names and URLs are checked too, which needs addons that can be loaded. */
  readonly isWhole: boolean;
}

/**
 * Checks templates and the code around them: arguments, values, field names, URLs.
 *
 * @param projects the projects of the code
 * @param addons the addons to check, by name; all by default
 */
export async function checkTemplates(
  sources: TemplateSources,
  projects: readonly Project[],
  addons?: ReadonlyMap<string, string>,
): Promise<TemplateFaults> {
  // The checks load props of islands, and routes.
  const undo = registerResolve([...sources.folders.values()]);
  try {
    const loaded = await loadAddons(sources.roots);
    const isWhole = loaded.problems.length === 0;
    const faults = [
      ...checkArguments(sources),
      ...(await checkValues(sources, projects, isWhole ? loaded.models : null, addons)),
      ...checkAddresses(isWhole ? loaded.addons : [], addons && new Set(addons.keys())),
    ];
    return { faults: addons ? faults.filter((fault) => isIn([...addons.values()], fault)) : faults, isWhole };
  } finally {
    undo();
  }
}

/** Whether a fault is in one of these folders. */
function isIn(folders: readonly string[], { file }: Fault): boolean {
  return folders.some((folder) => isInside(folder, join(repository, file)));
}

/** The `tsconfig.json` for an addon's code. */
export function configOf(folder: string): string {
  const addonConfig = join(folder, 'tsconfig.json');
  return existsSync(addonConfig) ? addonConfig : join(repository, 'tsconfig.json');
}
