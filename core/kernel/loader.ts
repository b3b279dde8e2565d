import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type CodeFolder, lineNaming, type Problem } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import type { Discovery } from './discover.ts';
import { loadProblem } from './load-problem.ts';
import { manifestCheck } from './manifest.ts';
import { absentDependency, dependencyClosure } from './order.ts';
import type { ContributionPoint } from './point.ts';
import { manifestMembers } from './read-manifest.ts';

/** Time limit for loading an addon's module, in ms, so a top-level `await` that never settles can't block the start. */
const loadTimeoutMs = 20_000;

/** Where an addon is defined. */
export interface DefinitionFile extends CodeFolder {
  /** `addon.ts` or `addon.js` */
  readonly file: string;
}

/** A definition whose module was loaded, not checked yet. */
interface Loaded extends DefinitionFile {
  readonly exported: unknown;
}

/** Loads the code of discovered addons when they are needed. */
export class AddonLoader implements Discovery {
  readonly since: number;
  readonly #listed: Map<string, ListedAddon>;
  readonly #loaded = new Map<string, Addon>();
  readonly #files: ReadonlyMap<string, DefinitionFile>;
  readonly #points: ContributionPoint[];
  readonly #onProblems: (problems: readonly Problem[]) => void;
  #problems: readonly Problem[];
  /** Names of addons whose module was loaded, successfully or not: Node loads a module only once. */
  readonly #tried = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly since: number;
    readonly addons: readonly ListedAddon[];
    readonly problems: readonly Problem[];
    /** Definitions of all addons, by name. */
    readonly files: ReadonlyMap<string, DefinitionFile>;
    readonly ownPoints: readonly ContributionPoint[];
    readonly onProblems: (problems: readonly Problem[]) => void;
  }) {
    this.since = options.since;
    this.#listed = new Map(options.addons.map((addon) => [addon.name, addon]));
    this.#problems = options.problems;
    this.#files = options.files;
    this.#points = [...options.ownPoints];
    this.#onProblems = options.onProblems;
  }

  get addons(): readonly ListedAddon[] {
    return inOrder([...this.#listed.values()].map((addon) => this.#loaded.get(addon.name) ?? addon));
  }

  get loaded(): readonly Addon[] {
    return inOrder([...this.#loaded.values()]);
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  load(names: Iterable<string>, except: ReadonlySet<string> = new Set()): Promise<void> {
    const withNeeds = (name: string): Set<string> => dependencyClosure(name, this.#listed).add(name);
    const wanted = new Set(
      [...names].flatMap((name) => (withNeeds(name).isDisjointFrom(except) ? [...withNeeds(name)] : [])),
    );
    return this.#enqueue([...this.#files.keys()].filter((name) => wanted.has(name) && this.#listed.has(name)));
  }

  loadAll(): Promise<void> {
    return this.#enqueue([...this.#files.keys()]);
  }

  #enqueue(names: readonly string[]): Promise<void> {
    const loading = this.#turn.then(() => this.#loadNew(names));
    this.#turn = loading.catch(() => undefined);
    return loading;
  }

  async #loadNew(names: readonly string[]): Promise<void> {
    const folders = [...this.#files.values()];
    const unchecked: Loaded[] = [];
    const problems: Problem[] = [];
    for (const definition of folders.filter(({ name }) => names.includes(name) && !this.#tried.has(name))) {
      this.#tried.add(definition.name);
      const result = await importDefinition(definition, folders);
      if ('exported' in result) unchecked.push(result);
      else problems.push(result);
      // Loading a module takes a while; let requests run in between.
      await setImmediate();
    }
    // Any addon may contribute to another addon's points; the dependency is checked when a generation is built.
    this.#points.push(...unchecked.flatMap(({ exported }) => pointsOf(exported)));
    const check = manifestCheck(this.#points);
    const folderNames = new Set(this.#points.flatMap(({ options }) => options.folders ?? []));
    const unloaded = new Set([...this.#problems, ...problems].map(({ addon }) => addon));
    for (const definition of unchecked) {
      const { name, folder, file, exported } = definition;
      const checked = check({ folder: name, path: folder, file, exported });
      const listed = this.#listed.get(name);
      if (checked.problems.length > 0) problems.push(...this.#causesOf(checked.problems, definition, unloaded));
      else if (listed && checked.definition) {
        const difference = differenceFrom(listed, definition);
        if (difference) problems.push(difference);
        else {
          const files = await listFiles(folder, folderNames);
          this.#loaded.set(name, Object.freeze({ ...listed, definition: checked.definition, files }));
        }
      }
    }
    this.#addProblems(problems);
  }

  /** Replaces the manifest's problems with those of the loaded code, which include them. */
  #addProblems(problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const broken = new Set(problems.map(({ addon }) => addon));
    for (const name of broken) {
      this.#listed.delete(name);
      this.#loaded.delete(name);
    }
    this.#problems = [...this.#problems.filter(({ addon }) => !broken.has(addon)), ...problems];
    this.#onProblems(problems);
  }

  /** Problems of a definition. Contributions to a point of a missing or broken addon are blamed on that addon. */
  #causesOf(
    faults: readonly Problem[],
    { name, folder, file, exported }: Loaded,
    unloaded: ReadonlySet<string>,
  ): readonly Problem[] {
    const depends = dependsOf(exported);
    const absent = depends.filter((dependency) => !this.#files.has(dependency));
    if (absent.length > 0)
      return absent.map((dependency) => absentDependency({ name, folder }, dependency, this.#files.keys()));
    const broken = depends.find((dependency) => unloaded.has(dependency));
    if (broken === undefined) return faults;
    const message = `is left out because it depends on ${broken}, which cannot be loaded.`;
    return [{ addon: name, file, message, because: broken }];
  }
}

function inOrder<A extends ListedAddon>(addons: readonly A[]): A[] {
  return addons.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function importDefinition(definition: DefinitionFile, folders: readonly CodeFolder[]): Promise<Loaded | Problem> {
  const { folder, file } = definition;
  try {
    const module: { default?: unknown } = await withTimeout(import(pathToFileURL(join(folder, file)).href));
    return { ...definition, exported: module.default };
  } catch (error) {
    return loadProblem(definition, file, error, folders);
  }
}

/** Reports a manifest that the code changes: plans rely on the written one. */
function differenceFrom(listed: ListedAddon, { name, folder, file, exported }: Loaded): Problem | null {
  const member = manifestMembers.find(
    (key) => !isDeepStrictEqual(Reflect.get(Object(exported), key), listed.definition[key]),
  );
  if (member === undefined) return null;
  return {
    addon: name,
    file,
    line: lineNaming(join(folder, file), [member]),
    message: `\`${member}\` isn’t the value that is written in ${file}.`,
    remedy: 'Write it without variables and calls. If the file was changed just now, start again.',
  };
}

function dependsOf(exported: unknown): readonly string[] {
  const depends: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'depends') : [];
  return Array.isArray(depends) ? depends : [];
}

/** Points declared by a module's export, before any validation. */
function pointsOf(exported: unknown): readonly ContributionPoint[] {
  const points: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'points') : [];
  return Array.isArray(points) ? points.filter((point) => point?.kind === 'point') : [];
}

/** Lists files in the folders of contribution points. */
async function listFiles(
  folder: string,
  parts: ReadonlySet<string>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = await readdir(folder);
  const present = [...parts].filter((part) => names.includes(part));
  const lists = present.map(async (part) => {
    const entries = await readdir(join(folder, part), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    return [part, Object.freeze(files.map((entry) => entry.name).sort())] as const;
  });
  return Object.freeze(Object.fromEntries(await Promise.all(lists)));
}

async function withTimeout<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new Error(`the module did not finish loading within ${loadTimeoutMs / 1000} s; it seems to wait for something`),
    );
  }, loadTimeoutMs);
  try {
    return await Promise.race([loading, promise]);
  } finally {
    clearTimeout(timer);
  }
}
