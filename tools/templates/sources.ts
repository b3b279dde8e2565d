import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { addonFolders, inOrder, isInside, repository, shortMemory } from '@pergola/core';
import { helperRules, planTemplates, readTemplates, type TemplatePlan } from '@pergola/pages';
import Handlebars from 'handlebars';
import { dependsOf } from '../testing/addon-closure.ts';

/** A position in a file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A problem at a position. */
export interface Fault extends Place {
  readonly message: string;
  /** The template that uses a value that isn't provided. */
  readonly template?: string;
}

/** A position in a template with all patches. */
interface Written {
  readonly template: string;
  readonly line: number;
  readonly path: string;
}

/** The templates of all addons, as if all of them were enabled. */
export class TemplateSources {
  readonly plans: ReadonlyMap<string, TemplatePlan>;
  readonly folders: ReadonlyMap<string, string>;
  /** Folders of its addons, except those in tests. */
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

  /** Reads the addons in these roots and in tests. Invalid templates are left to the build. */
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

  /** Whether a template belongs to an addon used only in tests. */
  isOfTests(id: string): boolean {
    const folder = this.folders.get(this.plans.get(id)?.addon ?? '');
    return folder !== undefined && isInside(repository, folder) && folder.split(sep).includes('fixtures');
  }

  /** `tsconfig.json` files of the repository and of outside addons. */
  get projects(): string[] {
    const addonConfigs = [...this.folders.values()].map((folder) => join(folder, 'tsconfig.json'));
    return [join(repository, 'tsconfig.json'), ...addonConfigs.filter((file) => existsSync(file))];
  }

  /** Folders of these addons and all their dependencies. */
  withNeeds(addons: Iterable<string>): string[] {
    const visited = new Set<string>();
    const visit = (name: string): void => {
      const folder = this.folders.get(name);
      if (folder === undefined || visited.has(folder)) return;
      visited.add(folder);
      for (const dependency of dependsOf(folder)) visit(dependency);
    };
    for (const name of addons) visit(name);
    return [...visited];
  }

  program(id: string): hbs.AST.Program | undefined {
    const plan = this.plans.get(id);
    if (!plan?.sound) return undefined;
    const program = this.#programs.get(id) ?? Handlebars.parse(plan.final);
    this.#programs.set(id, program);
    return program;
  }

  /** Addon and file position of a place in a patched template: in the template itself, or in the patch that added it. */
  origin({ template, line, path }: Written): Place & { readonly addon: string } {
    const plan = this.plans.get(template);
    if (!plan) throw new Error(`There is no template ${template}.`);
    const { changes, final } = plan;
    if (changes.length === 0) return { addon: plan.addon, file: this.#file(plan), line };
    const text = final.split('\n')[line - 1] ?? '';
    const sources = [
      { ...plan, first: 1 },
      ...changes.map((change) => ({ ...change, source: change.content, first: change.contentLine })),
    ];
    const lines = sources.flatMap(({ source, first, ...part }) =>
      source.split('\n').map((lineText, index) => ({
        addon: part.addon,
        file: this.#file(part),
        line: first + index,
        lineText: lineText.trim(),
      })),
    );
    const origin =
      lines.find(({ lineText }) => lineText === text.trim()) ??
      lines.find(({ lineText }) => lineText.includes(path) && text.includes(lineText));
    return origin ?? { addon: plan.addon, file: this.#file(plan), line };
  }

  /** Whether this comes from the template itself rather than another addon's patch. */
  isOwn(position: Written): boolean {
    return this.origin(position).addon === this.plans.get(position.template)?.addon;
  }

  #file({ addon, file }: { addon: string; file: string }): string {
    return relative(repository, join(this.folders.get(addon) ?? '', file));
  }
}

/** Ignores patches of addons in tests, which often contain deliberate mistakes. */
async function readAddon(name: string, folder: string, isForTests: boolean) {
  const files = readdirSync(folder).includes('templates') ? readdirSync(join(folder, 'templates')) : [];
  const read = await readTemplates({ name, folder, files: { templates: files } });
  return isForTests ? { ...read, patches: [] } : read;
}

function inDependencyOrder(folders: ReadonlyMap<string, string>): [string, string][] {
  const needsOf = (name: string): string[] =>
    dependsOf(folders.get(name) ?? '').filter((dependency) => folders.has(dependency));
  const ordered = inOrder(folders.keys(), needsOf, () => {});
  return ordered.map((name) => [name, folders.get(name) ?? dirname(name)]);
}
