import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, registerResolve, repository } from '@pergola/core';
import type { Project } from 'typescript/unstable/sync';
import { checkAddresses } from './check-addresses.ts';
import { checkArguments } from './check-arguments.ts';
import { checkValues } from './check-values.ts';
import { loadAddons } from './loaded-addons.ts';
import type { Fault, TemplateSources } from './sources.ts';

/**
 * What is wrong with templates and with the code around them: arguments, values, names of fields, addresses. While an addon can't be loaded,
 * little can be said of fields and addresses.
 *
 * @param projects the projects of the code
 * @param addons those that are checked, by name; all if left out
 */
export async function checkTemplates(
  sources: TemplateSources,
  projects: readonly Project[],
  addons?: ReadonlyMap<string, string>,
): Promise<Fault[]> {
  // The checks load the props of islands and the routes.
  const undo = registerResolve([...sources.folders.values()]);
  try {
    const loaded = await loadAddons(sources.roots);
    const isWhole = loaded.problems.length === 0;
    const faults = [
      ...checkArguments(sources),
      ...(await checkValues(sources, projects, isWhole ? loaded.models : null, addons)),
      ...checkAddresses(isWhole ? loaded.addons : [], addons && new Set(addons.keys())),
    ];
    return addons ? faults.filter((fault) => isIn([...addons.values()], fault)) : faults;
  } finally {
    undo();
  }
}

/** Whether a fault is in one of these folders. */
function isIn(folders: readonly string[], { file }: Fault): boolean {
  return folders.some((folder) => isInside(folder, join(repository, file)));
}

/** The `tsconfig.json` of an addon's code. */
export function configOf(folder: string): string {
  const own = join(folder, 'tsconfig.json');
  return existsSync(own) ? own : join(repository, 'tsconfig.json');
}
