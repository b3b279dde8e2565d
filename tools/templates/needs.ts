import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '@pergola/core';
import { anything, type Reader, readTemplate, type Shape } from './reading.ts';
import type { TemplateSources } from './sources.ts';

/** Where the types of templates are, in the folder of each `tsconfig.json`, which includes it. */
export const typesFile = '.build/templates.d.ts';

const head = `// What each template asks for, written by "npm run check", "npm run dev" and "pergola new".
export {};

declare module 'pergola' {
  interface Templates {
    /** Those that tests make as they run. */
    [id: \`t.\${string}\`]: object;
`;

/**
 * Writes what templates ask for as `interface Templates`, so that the compiler knows it of `render`. The file is not kept in the repository: it changes
 * with every template, and is there again before anything is checked. `projects` are the `tsconfig.json` of who is told.
 */
export function writeTemplateTypes(sources: TemplateSources, projects: readonly string[] = sources.projects): void {
  const ids = [...sources.plans.keys()].sort();
  const lines = new Map(ids.map((id) => [id, `    '${id}': ${typeOf(sources, id)};\n`]));
  for (const folder of projects.map((project) => dirname(project))) {
    const file = join(folder, typesFile);
    // Those of the repository's own tests are no business of an addon outside.
    const told = folder === repository ? ids : ids.filter((id) => !sources.isOfTests(id));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${head}${told.map((id) => lines.get(id)).join('')}  }\n}\n`);
  }
}

function typeOf(sources: TemplateSources, id: string): string {
  const { names, isOpen } = needsOf(sources, id);
  const values = [...names].sort().map(([name, isNeeded]) => `${property(name)}${isNeeded ? '' : '?'}: unknown`);
  if (isOpen) values.push('[name: string]: unknown');
  return values.length === 0 ? 'Record<string, never>' : `{ ${values.join('; ')} }`;
}

function property(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}

/**
 * The values a template asks for, each with whether it needs it: it is used whatever the other values are, and never only looked at for whether it is
 * there. What another addon's change asks for is never needed, since that addon may be disabled.
 */
export function needsOf(sources: TemplateSources, id: string): { names: Map<string, boolean>; isOpen: boolean } {
  const names = new Map<string, boolean>();
  let isOpen = false;
  let isNeeded = false;
  const root: Shape = {
    get(name) {
      names.set(name, isNeeded || names.get(name) === true);
      return anything;
    },
    item: () => {
      isOpen = true;
      return anything;
    },
    names: () => [],
    whole: () => {
      isOpen = true;
    },
  };
  const reader: Reader = {
    program: (name) => sources.program(name),
    ask(asked, of, isSure) {
      isNeeded = isSure && sources.isOwn(asked);
      return of.get(asked.name);
    },
  };
  readTemplate(reader, id, root);
  return { names, isOpen };
}
