import { relative, resolve } from 'node:path';
import type { Problem } from '@pergola/core';
import { addonRoots, isInside, repository } from '@pergola/core';
import { checkTemplates, configOf } from './checks.ts';
import { Compiler } from './compiler.ts';
import { floatingPromises } from './floating-promises.ts';
import { writeTemplateTypes } from './needs.ts';
import { TemplateSources } from './sources.ts';
import { typeFaults } from './type-faults.ts';

/**
 * Checks the addons of saved files like `npm run check`: types, templates, URLs and promises that aren't awaited. First writes the types of
 * all templates.
 *
 * @param files absolute paths
 */
export async function checkSaved(files: readonly string[]): Promise<Problem[]> {
  const sources = await TemplateSources.read(addonRoots(process.env.ADDONS_PATH));
  writeTemplateTypes(sources);
  const addons = new Map([...sources.folders].filter(([, folder]) => files.some((file) => isInside(folder, file))));
  using compiler = new Compiler([...new Set([...addons.values()].map(configOf))]);
  const { faults: ofTemplates } = await checkTemplates(sources, compiler.projects, addons);
  const problems: Problem[] = [];
  for (const [addon, folder] of addons) {
    const faults = [...ofTemplates, ...(await floatingPromises(folder))];
    const allFaults = [...faults, ...typeFaults(compiler.project(configOf(folder)), folder, faults)];
    for (const { file, line, message } of allFaults) {
      const path = resolve(repository, file);
      if (isInside(folder, path)) problems.push({ addon, file: relative(folder, path), line, message });
    }
  }
  return problems;
}
