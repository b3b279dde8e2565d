import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { didYouMean, isInside, repository } from '@pergola/core';
import type { ModelRegistry } from '@pergola/orm';
import type { Project } from 'typescript/unstable/sync';
import { checkIslands, type IslandCall } from './check-islands.ts';
import { type Given, GivenValues } from './given.ts';
import { type NameReference, type Reader, readTemplate, unknownShape } from './reading.ts';
import type { Fault, TemplateSources } from './sources.ts';
import { unlistedParts } from './unlisted.ts';

/** Result for a name used in a template. */
interface LookupResult {
  readonly reference: NameReference;
  /** Names that exist instead. */
  readonly suggestions: Set<string>;
  isFound: boolean;
}

/**
 * Reads each template with the values passed by every place in the code and by every other template, and reports names that none of them
 * provides. Unknown values (a template chosen at run time, a type without information) are never reported.
 *
 * @param projects projects of the code
 * @param models models for checking field names in code, or null to skip that
 * @param addons reports only problems of these; all by default
 */
export async function checkValues(
  sources: TemplateSources,
  projects: readonly Project[],
  models: ModelRegistry | null = null,
  addons?: ReadonlyMap<string, string>,
): Promise<Fault[]> {
  const ids = new Set(sources.plans.keys());
  const reportFolders = addons && [...addons.values()];
  const code = new GivenValues(projects, ids, models, addons && foldersOfCode(sources, addons), reportFolders);
  const lookups = new Map<string, LookupResult>();
  const islands: IslandCall[] = [];
  const reader: Reader = {
    program: (id) => sources.program(id),
    ask(reference, subject) {
      const key = `${reference.template} ${reference.line} ${reference.column} ${reference.name} ${reference.isHead}`;
      const lookup = lookups.get(key) ?? { reference, suggestions: new Set(), isFound: false };
      lookups.set(key, lookup);
      const shape = subject.get(reference.name);
      if (shape) lookup.isFound = true;
      else if (!lookup.isFound) for (const name of subject.names()) lookup.suggestions.add(name);
      return shape;
    },
    island: (place, props) => void islands.push({ ...place, props }),
  };
  // Code of other addons is read for the templates that these addons patch. It can't show theirs, except those chosen at run time.
  const isOwn = (file: string): boolean =>
    reportFolders?.some((folder) => isInside(folder, resolve(repository, file))) ?? true;
  const given = code.given.filter(({ template, file }) => isOwn(file) || !addons?.has(template.split('.')[0] ?? ''));
  for (const { template, values } of given) readTemplate(reader, template, values);
  const read = new Set(
    [...given, ...[...lookups.values()].map(({ reference }) => reference)].map(({ template }) => template),
  );
  // Templates chosen at run time, or never shown.
  for (const id of ids.difference(read)) readTemplate(reader, id, unknownShape);
  const unknown = [...lookups.values()].filter(
    ({ isFound, reference }) => !isFound && !isGivenByChange(sources, reference),
  );
  return [
    ...code.faults,
    ...unlistedParts(addons ?? sources.folders),
    ...(await checkIslands(sources, islands)),
    ...given.filter(({ template }) => !ids.has(template)).map((use) => noTemplate(use, ids)),
    ...unknown.map(({ reference, suggestions }) => unknownName(sources, reference, suggestions)),
  ];
}

/**
 * Folders of code that can show templates of these addons. Templates of outside addons are only shown by their own code, unless they patch
 * templates of others: then all their dependencies can show them. Addons of the repository show each other's.
 */
function foldersOfCode(sources: TemplateSources, addons: ReadonlyMap<string, string>): string[] | undefined {
  const folders = [...addons.values()];
  if (folders.some((folder) => dirname(folder) === join(repository, 'addons'))) return undefined;
  const hasPatches = folders.some((folder) => globSync('templates/*.patch.hbs', { cwd: folder }).length > 0);
  return hasPatches ? [join(repository, 'core'), ...sources.withNeeds(addons.keys())] : folders;
}

function noTemplate({ template, file, line }: Given, ids: ReadonlySet<string>): Fault {
  return { file, line, message: `There is no template "${template}". ${didYouMean(template, ids)}`.trim() };
}

/** Whether the addon that patches a template also provides the value by extending the page's values, which the types don't show. */
function isGivenByChange(sources: TemplateSources, reference: NameReference): boolean {
  const { addon } = sources.origin(reference);
  const property = new RegExp(`[{,\\s]${reference.path.split('.')[0]}\\s*[:,}]`);
  const isGivenIn = (folder: string, mark = ''): boolean =>
    globSync(join(folder, '**/*.ts')).some((file) => {
      const source = readFileSync(file, 'utf8');
      return source.includes(mark) && property.test(source);
    });
  if (!sources.isOwn(reference)) return isGivenIn(sources.folders.get(addon) ?? '');
  // Another addon may extend the route that shows it.
  const otherFolders = [...sources.folders].filter(([name]) => name !== addon);
  return otherFolders.some(([, folder]) => isGivenIn(folder, 'extendRoute('));
}

function unknownName(sources: TemplateSources, reference: NameReference, suggestions: ReadonlySet<string>): Fault {
  const { template, name, path, isHead } = reference;
  const { file, line } = sources.origin(reference);
  const fault = isHead ? `no code that shows ${template} provides “${name}”` : `the given value has no “${name}”`;
  const mustache = mustacheAt(sources.plans.get(template)?.final ?? '', reference) ?? `{{${path}}}`;
  return { file, line, message: `${mustache}: ${fault}. ${didYouMean(name, suggestions)}`.trim(), template };
}

/** Longest call to quote in full. */
const MAX_CALL = 80;

/** The mustache around a position, including its braces; undefined if it is long. */
function mustacheAt(source: string, { line, column }: NameReference): string | undefined {
  const offset = source.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0) + column;
  const start = source.lastIndexOf('{{', offset);
  const end = source.indexOf('}}', offset);
  const text = start < 0 || end < 0 ? '' : source.slice(start, end + 2).replace(/\s+/g, ' ');
  return text === '' || text.length > MAX_CALL ? undefined : text;
}
