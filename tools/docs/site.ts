import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { platformFaces, repository } from '@pergola/core';
import {
  Application,
  Converter,
  type DeclarationReflection,
  Comment as DocComment,
  LogLevel,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
  type TypeDocOptions,
} from 'typedoc';
import { brokenLinks } from './broken-links.ts';
import { linkNames } from './link-names.ts';
import { generatedPages } from './pages.ts';
import { keptFile, outdatedTables } from './tables.ts';

/** Documented modules: file by specifier. If a name is exported more than once, guides mean the earliest module. */
const faces: ReadonlyMap<string, string> = new Map([
  ...[...platformFaces()]
    .filter(([specifier]) => specifier !== 'pergola/testing/in-french')
    .map(([specifier, file]): [string, string] => [specifier, path.relative(repository, file)]),
  ...addonFaces(),
]);

function addonFaces(): [string, string][] {
  const faces = ['index', 'browser', 'kit', 'kit-combobox', 'kit-dialog'];
  return readdirSync(path.join(repository, 'addons')).flatMap((addon) => {
    const files = new Set(readdirSync(path.join(repository, 'addons', addon)));
    return faces
      .filter((face) => files.has(`${face}.ts`))
      .map((face): [string, string] => [
        `@pergola/${addon}${face === 'index' ? '' : `/${face}`}`,
        `addons/${addon}/${face}.ts`,
      ]);
  });
}

/** Name of the section for types that can't be imported. */
const unimportableTypes = 'Types that signatures mention';

const markdownIn = (folder: string): string[] =>
  readdirSync(path.join(repository, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => path.join(repository, folder, file));

/** Pages by navigation heading. */
function writtenPages(generated: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const inside = ['core', 'packages']
    .flatMap((folder) => readdirSync(path.join(repository, folder)).map((part) => path.join(folder, part, 'README.md')))
    .map((file) => path.join(repository, file))
    .filter((file) => existsSync(file));
  const first = path.join(repository, 'docs/write-an-addon.md');
  const recipes = path.join(repository, 'docs/cookbook/README.md');
  const order = readFileSync(recipes, 'utf8');
  const place = (file: string): number => order.indexOf(`(${path.basename(file)})`);
  return new Map([
    ['Guides', [first, ...markdownIn('docs').filter((file) => file !== first)]],
    ['Cookbook', [recipes, ...markdownIn('docs/cookbook').sort((a, b) => place(a) - place(b))]],
    ['Tables', generated],
    ['Inside', [...inside, path.join(repository, 'tools/README.md'), path.join(repository, 'bench/README.md')]],
  ]);
}

/** Builds the whole site into a folder. Returns problems: exports without a doc comment, and broken links. */
export async function buildSite(out: string): Promise<string[]> {
  const work = path.join(repository, 'var');
  mkdirSync(work, { recursive: true });
  const pages = mkdtempSync(path.join(work, 'docs-pages-'));
  try {
    const generated: string[] = [];
    const texts = await generatedPages();
    for (const [name, text] of texts) {
      const file = keptFile(name) ?? path.join(pages, `${name}.md`);
      generated.push(file);
      if (file.startsWith(pages)) writeFileSync(file, text);
    }
    return [...outdatedTables(texts), ...(await build(out, writtenPages(generated)))];
  } finally {
    rmSync(pages, { recursive: true });
  }
}

async function build(out: string, pagesByHeading: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const problems: string[] = [];
  // The plugin doesn't declare its own option.
  const options: Partial<TypeDocOptions> & { readonly internalModule: string } = {
    name: 'Pergola',
    // Gives pages to types that signatures mention but faces don't export, such as options.
    plugin: ['typedoc-plugin-missing-exports'],
    internalModule: unimportableTypes,
    // Other addons add to it; it is part of `pergola`.
    out,
    entryPoints: [...faces.values()].map((file) => path.join(repository, file)),
    tsconfig: path.join(import.meta.dirname, 'tsconfig.json'),
    basePath: repository,
    readme: path.join(repository, 'docs/README.md'),
    projectDocuments: [...pagesByHeading.values()].flat(),
    skipErrorChecking: true,
    excludeExternals: true,
    // Members that `ReceivedMail` inherits belong to its page.
    externalPattern: ['**/node_modules/!(postal-mime)/**'],
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    disableGit: true,
    hideGenerator: true,
    githubPages: false,
    includeHierarchySummary: false,
    searchInDocuments: true,
    searchInComments: true,
    sortEntryPoints: false,
    searchGroupBoosts: { Cookbook: 3, Guides: 2, Tables: 2 },
    sort: ['documents-first', 'alphabetical-ignoring-documents'],
    groupOrder: [...pagesByHeading.keys(), 'Modules', '*'],
    navigation: { includeGroups: true, includeCategories: false, includeFolders: false },
    highlightLanguages: [
      'ts',
      'tsx',
      'js',
      'json',
      'sh',
      'html',
      'handlebars',
      'css',
      'scss',
      'sql',
      'po',
      'diff',
      'md',
    ],
    validation: { notDocumented: false, invalidLink: true, notExported: true, unusedMergeModuleWith: false },
    logLevel: LogLevel.Warn,
  };
  const app = await Application.bootstrapWithPlugins(options);
  app.logger.log = (text, level) => {
    if (level >= LogLevel.Warn && !isIrrelevant(text)) problems.push(text);
  };
  nameFaces(app);
  placeDocuments(app, pagesByHeading);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => shorten(project));
  const project = await app.convert();
  if (!project) return problems;
  app.validate(project);
  linkNames(
    project,
    [...faces.keys()],
    new Map(pagesByHeading.get('Tables')?.map((file) => [path.basename(file, '.md'), file])),
  );
  await app.generateDocs(project, out);
  return [...problems, ...undocumented(project), ...brokenLinks(out)];
}

/**
 * Whether a warning is irrelevant: about inherited methods, which `shorten` removes, or links in comments of types that can't be imported.
 */
function isIrrelevant(warning: string): boolean {
  return (
    / \w+\.\w+, defined in \S+, is referenced by/.test(` ${warning}`) ||
    (warning.includes(unimportableTypes) && warning.includes(' links to '))
  );
}

/** Names modules by their import specifier and uses the comment at the top of their file as description. */
function nameFaces(app: Application): void {
  const names = new Map([...faces].map(([name, file]) => [path.join(repository, file), name]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, ({ project }, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const file = project.files.getReflectionPath(reflection);
    const name = file && names.get(file);
    if (!name) return;
    reflection.name = name;
    const [, description] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8')) ?? [];
    const text = (description ?? '').replace(/^\s*\* ?/gm, '').trim();
    reflection.comment = new DocComment([{ kind: 'text', text }]);
  });
}

/** Names pages by their title, instead of repeating it as a heading, and groups them in the navigation. */
function placeDocuments(app: Application, pagesByHeading: ReadonlyMap<string, readonly string[]>): void {
  const headings = new Map([...pagesByHeading].flatMap(([heading, files]) => files.map((file) => [file, heading])));
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const file = document.project.files.getReflectionPath(document) ?? '';
    document.frontmatter.group = headings.get(file);
    const [first] = document.content;
    if (first?.kind !== 'text') return;
    document.name = /^# (.*)/.exec(first.text)?.[1] ?? document.name;
  });
}

/**
 * Documents inherited members of models and services only where they are declared; repeating them in each class would make up most of the
 * site.
 */
function shorten(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Class) as DeclarationReflection[]) {
    reflection.extendedTypes = reflection.extendedTypes?.filter((type: SomeType) => String(type).length < 200);
    for (const member of [...(reflection.children ?? [])])
      if (member.inheritedFrom || member.flags.isInherited) project.removeReflection(member);
  }
}

/** Exports without a doc comment, and undocumented methods of exports of `pergola`. */
function undocumented({ children: modules = [] }: ProjectReflection): string[] {
  return modules.flatMap(({ name: module, children: exported = [] }) => {
    const methods = module === 'pergola' ? exported.flatMap(methodsOf) : [];
    return [...exported, ...methods]
      .filter(
        (reflection) =>
          !reflection.isReference() &&
          !isUnimportable(reflection) &&
          !reflection.hasComment() &&
          !waysToCall(reflection)?.every((way) => way.hasComment()),
      )
      .map((reflection) => `${module}: ${reflection.getFriendlyFullName()} has no doc comment.`);
  });
}

/** Whether this is the section for types that can't be imported, or one of those types. */
function isUnimportable(reflection: Reflection): boolean {
  return reflection.name === unimportableTypes || reflection.parent?.name === unimportableTypes;
}

function methodsOf({ children, type }: DeclarationReflection): DeclarationReflection[] {
  const members = children ?? (type?.type === 'reflection' ? (type.declaration.children ?? []) : []);
  return members.filter((member) => waysToCall(member) && member.kind !== ReflectionKind.Constructor);
}

/** Call signatures of a method, or of a property that holds a function. */
function waysToCall({ signatures, type }: DeclarationReflection): readonly SignatureReflection[] | undefined {
  return signatures ?? (type?.type === 'reflection' ? type.declaration.signatures : undefined);
}
