import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { addonRoots, repository } from '../../core/base/addon-folders.ts';
import { registerResolve } from '../../core/base/module-resolution.ts';
import { checkArguments } from './check-arguments.ts';
import { checkValues } from './check-values.ts';
import { formatTemplate } from './format.ts';
import { firstDifference } from './meaning.ts';
import { writeTemplateTypes } from './needs.ts';
import { type Fault, TemplateSources } from './sources.ts';

/** Writes the types of all templates; `check` names what is wrong with them too, `format` formats them. */
export type TemplateWork = 'types' | 'check' | 'format';

/** Does it for the repository, or for these addons outside of it. Answers what is wrong, one line each. */
export async function runTemplates(work: TemplateWork, addons: readonly string[] = []): Promise<string[]> {
  const folders = addons.map((folder) => resolve(folder));
  const unformatted = work === 'types' ? [] : format(filesOf(folders), work === 'format');
  if (work === 'format') return unformatted;
  const known = process.env.ADDONS_PATH ?? '';
  const sources = await TemplateSources.read(addonRoots([known, ...folders].join(delimiter)));
  writeTemplateTypes(sources);
  if (work === 'types') return [];
  // The check loads the props of islands.
  const undo = registerResolve([...sources.folders.values()]);
  const faults = [...checkArguments(sources), ...(await checkValues(sources))];
  undo();
  return [...unformatted, ...faults.filter((fault) => isIn(folders, fault)).map(sentence)];
}

function filesOf(folders: readonly string[]): string[] {
  if (folders.length > 0) return folders.flatMap((folder) => globSync(join(folder, 'templates/*.hbs')).sort());
  return globSync(join(repository, '{addons,core,tools}/**/templates/*.hbs')).sort();
}

function isIn(folders: readonly string[], { file }: Fault): boolean {
  return folders.length === 0 || folders.some((folder) => resolve(repository, file).startsWith(`${folder}${sep}`));
}

/** Files are named as seen from where the command runs. */
function sentence({ file, line, message }: Fault): string {
  return `${relative('', resolve(repository, file))}:${line}: ${message}`;
}

/** Formats the templates, or names those that are not formatted. */
function format(files: readonly string[], write: boolean): string[] {
  return files.flatMap((path) => {
    const file = relative('', path);
    const source = readFileSync(path, 'utf8');
    try {
      const formatted = formatTemplate(source);
      if (formatted === source) return [];
      if (!write) return [`${file} is not formatted. Run "npm run format".`];
      // A formatter that changed what a page shows would be found by its readers; so it looks itself.
      const difference = firstDifference(source, formatted, file.endsWith('.patch.hbs'));
      if (difference) return [`${file} is left as it is: formatted, it would show something else. ${difference}`];
      writeFileSync(path, formatted);
      return [];
    } catch (error) {
      return [`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
