import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '@pergola/core';
import { type Reader, readTemplate, type Shape, unknownShape } from './reading.ts';
import type { TemplateSources } from './sources.ts';

/** Path of the generated template types, relative to each `tsconfig.json` that includes it. */
export const typesFile = '.build/templates.d.ts';

const head = `// What each template asks for, written by "npm run check", "npm run dev" and "pergola new".
export {};

declare module 'pergola' {
  interface Templates {
    /** Those that tests make as they run. */
    [id: \`t.\${string}\`]: object;
`;

/**
 * Writes the values that templates use as `interface Templates`, so that the compiler can check calls of `render`. The file isn't
 * committed: it changes with every template, and is regenerated before each check.
 *
 * @param projects `tsconfig.json` files that need the types
 */
export function writeTemplateTypes(sources: TemplateSources, projects: readonly string[] = sources.projects): void {
  const ids = [...sources.plans.keys()].sort();
  const lines = new Map(ids.map((id) => [id, `    '${id}': ${typeOf(sources, id)};\n`]));
  for (const folder of projects.map((project) => dirname(project))) {
    const file = join(folder, typesFile);
    // Outside addons don't need the templates of the repository's tests.
    const projectIds = folder === repository ? ids : ids.filter((id) => !sources.isOfTests(id));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${head}${projectIds.map((id) => lines.get(id)).join('')}  }\n}\n`);
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
 * Returns the values that a template uses, and whether each is required: it is used in every case, not only tested for existence. Values
 * used by patches of other addons are never required, since those addons may be disabled.
 */
export function needsOf(sources: TemplateSources, id: string): { names: Map<string, boolean>; isOpen: boolean } {
  const names = new Map<string, boolean>();
  let isOpen = false;
  let isNeeded = false;
  const root: Shape = {
    get(name) {
      names.set(name, isNeeded || names.get(name) === true);
      return unknownShape;
    },
    item: () => {
      isOpen = true;
      return unknownShape;
    },
    names: () => [],
    whole: () => {
      isOpen = true;
    },
  };
  const reader: Reader = {
    program: (name) => sources.program(name),
    ask(reference, subject, isSure) {
      isNeeded = isSure && sources.isOwn(reference);
      return subject.get(reference.name);
    },
  };
  readTemplate(reader, id, root);
  return { names, isOpen };
}
