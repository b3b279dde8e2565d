import { join } from 'node:path';
import { checkDefinitions } from './addon/checks/definitions.ts';
import { buildGroups } from './addon/checks/groups.ts';
import { checkMenus } from './addon/checks/menus.ts';
import { checkTemplateUses } from './addon/checks/template-uses.ts';
import { checkUnique } from './addon/checks/unique.ts';
import { checkViews } from './addon/checks/views.ts';
import type { GenerationRecord } from './addon/generation-store.ts';
import { order } from './addon/order.ts';
import { readTemplates } from './addon/read-templates.ts';
import { type LeftOut, leaveOut } from './addon/world.ts';
import type { BuildMemory } from './build-memory.ts';
import type { Config } from './config.ts';
import { buildServices } from './container.ts';
import type { Problem } from './errors.ts';
import type { FileStore } from './files/types.ts';
import type { Generation, LoadedAddon } from './generation.ts';
import { routeTableSteps } from './http/route-table.ts';
import { cspProblems } from './http/security-headers-sources.ts';
import { type Catalogs, createCatalogs } from './i18n/catalog.ts';
import {
  type Catalog,
  type CatalogResult,
  type CatalogSource,
  markAlike,
  parseCatalog,
  readCatalog,
} from './i18n/po.ts';
import { buildAssets } from './island/assets.ts';
import type { Log } from './log.ts';
import { registrySteps } from './model/build-registry.ts';
import { createPace, inSlices, type Pace } from './pace.ts';
import type { AddonTemplates } from './page/build.ts';
import { buildTemplatesInSlices, type TemplateSet } from './page/templates.ts';
import { repository } from './start/alias.ts';

/** What generations are built with, the same for all of an application. */
export interface BuildEnvironment {
  readonly config: Config;
  readonly log: Log;
  readonly files: FileStore;
  /** Folders in which addons are looked for. */
  readonly roots: readonly string[];
  /** Translations that somebody brought in for this site; they go before those of the addons. */
  readonly ownCatalogs?: () => Promise<readonly CatalogSource[]>;
  /** What was read before; without it everything is read each time, as development wants it. */
  readonly cache?: BuildCache;
  /** What was worked out of these texts before, also by earlier processes. */
  readonly memory?: BuildMemory;
}

/**
 * What generations read of addons' folders, by folder: a process serves the code it loaded, so files that belong to it are read once. Those of an addon
 * that is not served, or that was found broken, are read anew when it is tried again: it may have been mended.
 */
export interface BuildCache {
  readonly catalogs: Map<string, CatalogResult>;
  readonly templates: Map<string, AddonTemplates>;
}

/** Makes an empty {@link BuildCache}. */
export function createBuildCache(): BuildCache {
  return { catalogs: new Map(), templates: new Map() };
}

export interface BuildInput {
  readonly record: GenerationRecord;
  /** The addons to be served, in any order. */
  readonly addons: readonly LoadedAddon[];
  /** All addons on disk, so that what is missing can be named. */
  readonly known: readonly LoadedAddon[];
  readonly environment: BuildEnvironment;
}

export interface BuildResult {
  /** Only without problems. */
  readonly generation?: Generation;
  readonly problems: readonly Problem[];
}

/**
 * Builds every part of a generation from its addons and checks each against the others. All problems of all addons are collected; with any, there
 * is no generation. Works in slices: requests are served in between.
 */
export async function buildGeneration({ record, addons: given, known, environment }: BuildInput): Promise<BuildResult> {
  const pace = createPace();
  const problems: Problem[] = [];
  const { ordered: addons, problems: orderProblems } = order(
    given,
    known.map(({ name }) => name),
  );
  problems.push(...orderProblems, ...checkUnique(addons));
  const { languages } = record;

  const catalogs = await buildCatalogs(addons, environment, pace);
  const { groups, problems: groupProblems } = buildGroups(addons);
  await pace();
  const { registry: models, problems: modelProblems } = await inSlices(
    registrySteps(addons.map(toModels), {
      languages,
      groups: groups.keys(),
      known: known.map(toModels),
      pendingFields: record.pendingFields,
    }),
    pace,
  );
  const { table: routes, problems: routeProblems } = await inSlices(
    routeTableSteps(addons.map(toRouting), { groups: new Set(groups.keys()) }),
    pace,
  );
  const { container: services, problems: serviceProblems } = buildServices(
    addons.map(({ name, definition }) => ({ name, services: definition.services ?? [] })),
    environment,
    new Set(models.models.keys()),
  );
  problems.push(...groupProblems, ...modelProblems, ...routeProblems, ...serviceProblems);

  const { templates, problems: templateProblems } = await buildPages(addons, {
    languages,
    catalogs,
    environment,
    pace,
  });
  const { assets, problems: assetProblems } = await buildAssets(addons, {
    dev: environment.config.dev,
    log: environment.log,
    catalogs,
    languages,
    roots: environment.roots,
    pause: pace,
  });
  problems.push(...templateProblems, ...assetProblems, ...cspProblems(addons));
  await pace();
  problems.push(
    ...checkDefinitions(addons, { models, groups, templates: new Set(templates.ids) }),
    ...checkMenus(addons, models, groups),
    ...checkViews(addons, models),
    ...checkTemplateUses(addons, templates.uses, {
      groups,
      hasIsland: (id) => assets.hasIsland(id),
      hasStylesheet: (id) => assets.stylesheet(id) !== undefined,
    }),
  );
  if (problems.length > 0) {
    forget(
      environment.cache,
      addons.filter(({ name }) => problems.some(({ addon }) => addon === name)),
    );
    await services.dispose();
    return { problems };
  }
  forget(
    environment.cache,
    known.filter(({ name }) => !addons.some((addon) => addon.name === name)),
  );
  void environment.memory?.save();
  const contributions = collectContributions(addons);
  const { number } = record;
  return {
    generation: Object.freeze({
      number,
      addons,
      models,
      routes,
      templates,
      assets,
      catalogs,
      services,
      groups,
      contributions,
      languages,
    }),
    problems,
  };
}

/**
 * The same for the start, when something has to be served: addons with problems, and those that need them, are left out until the rest builds.
 * Throws nothing; when a permanent addon is among those left out, there is no generation.
 */
export async function buildWithoutBroken(input: BuildInput): Promise<BuildResult & { readonly leftOut: LeftOut }> {
  const leftOut = new Map<string, readonly Problem[]>();
  for (let addons = input.addons; ; addons = addons.filter(({ name }) => !leftOut.has(name))) {
    const result = await buildGeneration({ ...input, addons });
    if (result.generation) return { ...result, leftOut };
    for (const [name, reasons] of leaveOut(result.problems, addons)) leftOut.set(name, reasons);
    const permanent = addons.some(({ name, definition }) => definition.permanent && leftOut.has(name));
    const isStuck = result.problems.every(({ addon }) => !addons.some(({ name }) => name === addon));
    if (permanent || isStuck) return { problems: result.problems, leftOut };
  }
}

async function buildCatalogs(
  addons: readonly LoadedAddon[],
  { log, cache, memory, ownCatalogs }: BuildEnvironment,
  pace: Pace,
): Promise<Catalogs> {
  const catalogs: Catalog[] = [];
  const folders = [{ name: 'core', folder: join(repository, 'core') }, ...addons];
  const withTexts = folders.filter((one) => !('files' in one) || one.files.i18n);
  for (const { name, folder } of withTexts) {
    const read = cache?.catalogs.get(folder) ?? (await readCatalog(folder, name, memory));
    cache?.catalogs.set(folder, read);
    catalogs.push(...read.catalogs);
    // A translation that does not fit is not shown; the source text is.
    for (const problem of read.problems) log.warn({ addon: name, problem }, 'A translation cannot be used');
    await pace();
  }
  const names = new Set(withTexts.map(({ name }) => name));
  for (const source of (await ownCatalogs?.()) ?? []) {
    const { catalog } = names.has(source.addon) ? parseCatalog(source) : {};
    if (catalog) putOver(catalogs, catalog);
    await pace();
  }
  return createCatalogs(markAlike(catalogs), folders);
}

/** Lets a catalogue go before the one of the same addon and language. */
function putOver(catalogs: Catalog[], own: Catalog): void {
  const at = catalogs.findIndex(({ addon, lang }) => addon === own.addon && lang === own.lang);
  const below = catalogs[at];
  if (below) catalogs[at] = { ...own, entries: new Map([...below.entries, ...own.entries]) };
  else catalogs.push(own);
}

async function buildPages(
  addons: readonly LoadedAddon[],
  about: { languages: readonly string[]; catalogs: Catalogs; environment: BuildEnvironment; pace: Pace },
): Promise<{ templates: TemplateSet; problems: readonly Problem[] }> {
  const { languages, catalogs, environment, pace } = about;
  const { log, cache, memory } = environment;
  const sources = [];
  for (const addon of addons) {
    const read = cache?.templates.get(addon.folder) ?? (await readTemplates(addon));
    cache?.templates.set(addon.folder, read);
    sources.push(read);
    await pace();
  }
  const built = await buildTemplatesInSlices(
    {
      addons: sources,
      languages,
      translate: (lang, addon, text) => catalogs.lookup(lang, addon, text),
      forms: (lang, addon, one) => catalogs.forms(lang, addon, one),
      pluralIndex: (lang, n) => catalogs.pluralIndex(lang, n),
      place: (lang, addon, text) => catalogs.place(lang, addon, text),
      warn: (problem) => log.warn({ addon: problem.addon, problem }, 'A translation does not fit its template'),
      memory,
    },
    pace,
  );
  return built;
}

function toModels({ name, definition }: LoadedAddon) {
  const { models, access, rules } = definition;
  return { name, models, access, rules };
}

function toRouting({ name, definition }: LoadedAddon) {
  return { name, routes: definition.routes ?? [], routeExtensions: definition.routeExtensions ?? [] };
}

function forget(cache: BuildCache | undefined, addons: readonly LoadedAddon[]): void {
  for (const { folder } of addons) {
    cache?.catalogs.delete(folder);
    cache?.templates.delete(folder);
  }
}

/** What addons contributed, by point, in their order. */
function collectContributions(addons: readonly LoadedAddon[]): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { definition } of addons) {
    for (const { point, items } of definition.contributes ?? [])
      found.set(point, [...(found.get(point) ?? []), ...items]);
  }
  return found;
}
