import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { addonRoots, repository } from '@pergola/core';
import { checkTemplates } from './checks.ts';
import { Compiler } from './compiler.ts';
import { formatTemplate } from './format.ts';
import { firstDifference } from './meaning.ts';
import { writeTemplateTypes } from './needs.ts';
import { type Fault, TemplateSources } from './sources.ts';

/** Writes the types of all templates; `check` also reports problems, `format` formats them. */
export type TemplateWork = 'types' | 'check' | 'format';

/** Works on the repository's templates; types and checks include the addons of `ADDONS_PATH`. Returns the problems, one line each. */
export async function runTemplates(work: TemplateWork): Promise<string[]> {
  const files = globSync(join(repository, '{addons,core,tools}/**/templates/*.hbs')).sort();
  const unformatted = work === 'types' ? [] : formatTemplates(files, work === 'format');
  if (work === 'format') return unformatted;
  const sources = await TemplateSources.read(addonRoots(process.env.ADDONS_PATH));
  writeTemplateTypes(sources);
  if (work === 'types') return [];
  using compiler = new Compiler(sources.projects);
  const { faults } = await checkTemplates(sources, compiler.projects);
  return [...unformatted, ...faults.map(faultLine)];
}

/** Formats a problem as one line, with the path relative to the current folder. */
export function faultLine({ file, line, message }: Fault): string {
  return `${relative('', resolve(repository, file))}:${line}: ${message}`;
}

/** Formats templates, or lists the unformatted ones. */
export function formatTemplates(files: readonly string[], write: boolean): string[] {
  return files.flatMap((path) => {
    const file = relative('', path);
    const source = readFileSync(path, 'utf8');
    try {
      const formatted = formatTemplate(source);
      if (formatted === source) return [];
      if (!write) return [`${file} is not formatted. Run "npm run format".`];
      // Verifies that formatting doesn't change the page, which otherwise only its readers would notice.
      const difference = firstDifference(source, formatted, file.endsWith('.patch.hbs'));
      if (difference) return [`${file} was not formatted, because that would change what it shows. ${difference}`];
      writeFileSync(path, formatted);
      return [];
    } catch (error) {
      return [`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
