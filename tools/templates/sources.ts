import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { addonFolders, inOrder, isInside, repository, shortMemory } from '@pergola/core';
import { helperRules, planTemplates, readTemplates, type TemplatePlan } from '@pergola/pages';
import Handlebars from 'handlebars';
import { dependsOf } from '../testing/addon-closure.ts';

/** Where something stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Something wrong, and where. */
export interface Fault extends Place {
  readonly message: string;
  /** The template that asks for a value which nothing gives it. */
  readonly template?: string;
}

/** Something in a template with all changes. */
interface Written {
  readonly template: string;
  readonly line: number;
  readonly path: string;
}

/** The templates of all addons there are, as they are when all of them are enabled. */
export class TemplateSources {
  readonly plans: ReadonlyMap<string, TemplatePlan>;
  readonly folders: ReadonlyMap<string, string>;
  /** Where its addons are, apart from those that tests bring. */
  readonly roots: readonly string[];
  readonly #programs = new Map<string, hbs.AST.Program>();

  private constructor(
    plans: ReadonlyMap<string, TemplatePlan>,
    folders: ReadonlyMap<string, string>,
    roots: readonly string[],
  ) {
    this.plans = plans;
    this.folders = folders;
    this.roots = roots;
  }

  /** Reads the addons in these roots, and those that tests bring. What is wrong with a template by itself is for the build to say. */
  static async read(roots: readonly string[]): Promise<TemplateSources> {
    const folders = addonFolders(roots);
    const tests = addonFolders(globSync(join(repository, '{core,tools,addons}/**/fixtures')));
    const addons = await Promise.all(
      [...inDependencyOrder(folders), ...tests].map(([name, folder]) => readAddon(name, folder, tests.has(name))),
    );
    const steps = planTemplates(addons, helperRules(), shortMemory());
    let step = steps.next();
    while (!step.done) step = steps.next();
    return new TemplateSources(step.value.plans, new Map([...folders, ...tests]), roots);
  }

  /** Whether a template is of an addon that only tests use. */
  isOfTests(id: string): boolean {
    const folder = this.folders.get(this.plans.get(id)?.addon ?? '');
    return folder !== undefined && isInside(repository, folder) && folder.split(sep).includes('fixtures');
  }

  /** The `tsconfig.json` of the repository, and those of addons outside. */
  get projects(): string[] {
    const own = [...this.folders.values()].map((folder) => join(folder, 'tsconfig.json'));
    return [join(repository, 'tsconfig.json'), ...own.filter((file) => existsSync(file))];
  }

  /** Folders of these addons and of all that they need. */
  withNeeds(addons: Iterable<string>): string[] {
    const found = new Set<string>();
    const visit = (name: string): void => {
      const folder = this.folders.get(name);
      if (folder === undefined || found.has(folder)) return;
      found.add(folder);
      for (const needed of dependsOf(folder)) visit(needed);
    };
    for (const name of addons) visit(name);
    return [...found];
  }

  program(id: string): hbs.AST.Program | undefined {
    const plan = this.plans.get(id);
    if (!plan?.sound) return undefined;
    const program = this.#programs.get(id) ?? Handlebars.parse(plan.final);
    this.#programs.set(id, program);
    return program;
  }

  /** The addon and place behind a path in a template with all changes: those of the template, or of the change that put it there. */
  origin({ template, line, path }: Written): Place & { readonly addon: string } {
    const plan = this.plans.get(template);
    if (!plan) throw new Error(`There is no template ${template}.`);
    const { changes, final } = plan;
    if (changes.length === 0) return { addon: plan.addon, file: this.#file(plan), line };
    const text = final.split('\n')[line - 1] ?? '';
    const sources = [
      { ...plan, first: 1 },
      ...changes.map((one) => ({ ...one, source: one.content, first: one.contentLine })),
    ];
    const lines = sources.flatMap(({ source, first, ...part }) =>
      source
        .split('\n')
        .map((own, at) => ({ addon: part.addon, file: this.#file(part), line: first + at, own: own.trim() })),
    );
    const found =
      lines.find(({ own }) => own === text.trim()) ?? lines.find(({ own }) => own.includes(path) && text.includes(own));
    return found ?? { addon: plan.addon, file: this.#file(plan), line };
  }

  /** Whether something is written in the template itself, and not in another addon's change to it. */
  isOwn(written: Written): boolean {
    return this.origin(written).addon === this.plans.get(written.template)?.addon;
  }

  #file({ addon, file }: { addon: string; file: string }): string {
    return relative(repository, join(this.folders.get(addon) ?? '', file));
  }
}

/** Patches of the addons that tests bring change nothing here: what they show is often a mistake. */
async function readAddon(name: string, folder: string, isForTests: boolean) {
  const files = readdirSync(folder).includes('templates') ? readdirSync(join(folder, 'templates')) : [];
  const read = await readTemplates({ name, folder, files: { templates: files } });
  return isForTests ? { ...read, patches: [] } : read;
}

function inDependencyOrder(folders: ReadonlyMap<string, string>): [string, string][] {
  const needsOf = (name: string): string[] =>
    dependsOf(folders.get(name) ?? '').filter((needed) => folders.has(needed));
  const ordered = inOrder(folders.keys(), needsOf, () => {});
  return ordered.map((name) => [name, folders.get(name) ?? dirname(name)]);
}
