import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isAlias, platformFaces } from '@pergola/core';
import { z } from 'zod';
import { dependsOf } from '../testing/addon-closure.ts';
import type { Import } from './parse.ts';
import type { Rule, Violation } from './problem.ts';
import { type Source, type Sources, target } from './sources.ts';

/** Checks which modules may import each other, and that server code doesn't import `.tsx` files. */
export function checkImports(sources: Sources): Violation[] {
  const reach = reachable(sources);
  return sources.checked.flatMap((source) =>
    source.facts.imports.flatMap((imported) => {
      const finding = ownership(source, imported, sources, reach) ?? tsxOnServer(source, imported);
      if (finding === null) return [];
      const [rule, message, remedy] = finding;
      return [{ rule, file: source.file, line: imported.line, message, remedy }];
    }),
  );
}

/** Checks that addons declare their dependencies statically, and consistently with their package.json. */
export function checkManifests(sources: Sources): Violation[] {
  const reach = reachable(sources);
  return sources.checked.flatMap((source) => {
    const { manifest } = source.facts;
    if (source.isTest || manifest === null) return [];
    const location = { rule: 'manifest' as const, file: source.file, line: manifest.line };
    if (manifest.depends === null) {
      const message = 'The dependencies of this addon can’t be read without running it.';
      return [{ ...location, message, remedy: "Write `depends` as a plain list of names: depends: ['website']." }];
    }
    const packaged = packagedDepends(dirname(source.path));
    // package.json may also list indirect dependencies that the addon imports.
    const reachableAddons = reach.get(source.addon?.name ?? '') ?? new Set();
    const depends = new Set(manifest.depends);
    const differences =
      packaged === null
        ? []
        : [...depends.difference(packaged), ...packaged.difference(depends.union(reachableAddons))];
    return differences.map((name) => ({
      ...location,
      message: `Only one of addon.ts and package.json lists the dependency on ${name}.`,
      remedy: `List it in both, as '${name}' in \`depends\` and "${PREFIX}${name}" in \`dependencies\`, or in neither.`,
    }));
  });
}

/** Package scope of shipped addons. Platform packages have names of their own. */
const PREFIX = '@pergola/';

/**
 * Shipped addons listed in an addon's package.json. Null without a package.json, and for third-party addons, whose packages can have any
 * name.
 */
function packagedDepends(folder: string): Set<string> | null {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const { name, dependencies } = Package.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (!name?.startsWith(PREFIX)) return null;
  const dependencyNames = Object.keys(dependencies).filter((dependency) => dependency.startsWith(PREFIX));
  return new Set(dependencyNames.map((dependency) => dependency.slice(PREFIX.length)));
}

const Package = z.object({
  name: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

type Finding = [rule: Rule, message: string, remedy: string];

function ownership(source: Source, { specifier }: Import, sources: Sources, reach: Reach): Finding | null {
  if (/^pergola($|\/)/.test(specifier))
    return source.addon === null ? coreFace(source, specifier) : face(source, specifier);
  if (specifier.startsWith('@pergola/')) {
    if (!isAlias(specifier)) return platformPackage(source, specifier);
    return source.addon === null
      ? addonFromCore(source, specifier)
      : otherAddon(source, source.addon.name, specifier, reach);
  }
  return specifier.startsWith('.') ? relativeImport(source, specifier, sources) : null;
}

function coreFace(source: Source, specifier: string): Finding | null {
  if (source.isTest || !isPlatform(source)) return null;
  return [
    'foreign-import',
    `The platform imports its own public face "${specifier}", which imports this file in turn.`,
    'Import the file that declares it by its path.',
  ];
}

function addonFromCore(source: Source, specifier: string): Finding {
  return [
    'core-imports-addon',
    `${isPlatform(source) ? 'The core' : 'The start script'} imports the addon "${specifier}" and would no longer work without it.`,
    'Let the addon register a value in its addon.ts, and let the core use the registered values.',
  ];
}

/** Platform modules that addons may import. */
const faces: ReadonlySet<string> = new Set(platformFaces().keys());

function face(source: Source, specifier: string): Finding | null {
  if (!faces.has(specifier)) {
    return [
      'foreign-import',
      `"${specifier}" is inside the core, and may change with every version of it.`,
      'Import from pergola or one of its other faces (browser code: pergola/browser, pergola/islands, pergola/html). Add missing exports to packages/pergola/index.ts.',
    ];
  }
  if (source.isTest || !specifier.startsWith('pergola/testing')) return null;
  return ['foreign-import', `"${specifier}" is not available on a running site.`, 'Import it only in tests.'];
}

function otherAddon(source: Source, addonName: string, specifier: string, reach: Reach): Finding | null {
  const [name = '', part, ...rest] = specifier.slice('@pergola/'.length).split('/');
  if (rest.length > 0 || (part !== undefined && !isBrowserFace(part))) {
    return [
      'foreign-import',
      `"${specifier}" is internal to the addon ${name} and may change with every version.`,
      `Import from @pergola/${name} (browser code: @pergola/${name}/browser or …/kit). Add missing exports to its index.ts.`,
    ];
  }
  if (name === addonName) {
    // A fixture addon in an addon's tests is a separate addon that depends on it.
    if (isBrowserFace(part) || (source.isTest && /(^|\/)tests\/fixtures\//.test(source.inside))) return null;
    return [
      'foreign-import',
      `${addonName} imports its own public face.`,
      'Import the file that declares it by its path.',
    ];
  }
  const depends = reach.get(addonName);
  if (depends === undefined || depends.has(name)) return null;
  return [
    'undeclared-dependency',
    `${addonName} imports the addon ${name}, which is not among its direct or indirect dependencies, so it fails if ${name} is not enabled.`,
    `Add '${name}' to \`depends\` in addon.ts of ${addonName}, or do without it${source.isTest ? ' in this test' : ''}.`,
  ];
}

function isBrowserFace(part: string | undefined): boolean {
  return part !== undefined && /^(browser|kit(-[a-z]+)?)$/.test(part);
}

function relativeImport(source: Source, specifier: string, sources: Sources): Finding | null {
  const path = target(source, specifier);
  const owner = sources.addons.find(({ folder }) => path.startsWith(folder + sep)) ?? null;
  if (source.addon !== null) {
    if (path.startsWith(source.addon.folder + sep)) return null;
    const right = owner === null ? 'pergola (tests: pergola/testing)' : `@pergola/${owner.name}`;
    return [
      'foreign-import',
      `"${specifier}" leads out of the addon ${source.addon.name} to ${owner === null ? 'files outside of it' : `internal files of ${owner.name}`}.`,
      `Import from ${right}.`,
    ];
  }
  if (owner !== null && !(source.isTest && isFixture(path, sources))) return addonFromCore(source, specifier);
  if (source.isTest || !isPlatform(source)) return null;
  const isTool = path.startsWith(join(sources.root, 'tools') + sep);
  if (!isTool) return betweenParts(source, specifier, relative(sources.root, path).split(sep).join('/'));
  return [
    'core-imports-tools',
    `"${specifier}" is a tool; a running site has none.`,
    'Let the caller that starts the server pass in the dependency.',
  ];
}

function isPlatform({ file }: Source): boolean {
  return /^(core|packages)\//.test(file);
}

/** Parts of the core, lowest first: each may use the ones before it. */
const coreParts: readonly string[] = ['base', 'kernel', 'context', 'part', 'app'].map((name) => `core/${name}`);

/** Packages of the platform, lowest first. */
const packages: readonly string[] = [
  'core',
  ...[
    'caches',
    'content',
    'capabilities',
    'browser',
    'db',
    'page-cache',
    'cluster',
    'jobs',
    'texts',
    'files',
    'orm',
    'settings',
    'changes',
    'islands',
    'pages',
    'http',
  ],
  ...['mailer', 'switching', 'operations', 'rehearsal', 'server', 'pergola'],
];

/** @param to the imported platform file */
function betweenParts({ file, isBrowser }: Source, specifier: string, to: string): Finding | null {
  if (packageOf(to) !== packageOf(file)) {
    return [
      'part-inside',
      `"${specifier}" leads out of the package ${packageOf(file)}.`,
      `Import "${packageOf(to) === 'pergola' ? '' : '@pergola/'}${packageOf(to)}". Add missing exports to its index.ts.`,
    ];
  }
  const [importingPart, part] = [file, to].map((path) => path.split('/').slice(0, 2).join('/')) as [string, string];
  if (importingPart === part || !coreParts.includes(importingPart) || !coreParts.includes(part)) return null;
  if (coreParts.indexOf(part) > coreParts.indexOf(importingPart)) return tooHigh(importingPart, part, specifier);
  // Browser code imports files directly, so that bundles contain nothing else.
  if (to === `${part}/index.ts` || isBrowser) return null;
  return [
    'part-inside',
    `"${specifier}" is internal to the part ${part}.`,
    `Import from ${part}/index.ts. Add missing exports there.`,
  ];
}

/** Returns `core` for `core/base/log.ts`, `db` for `packages/db/pool.ts`. */
function packageOf(file: string): string {
  return /^packages\/([^/]+)/.exec(file)?.[1] ?? file.split('/')[0] ?? '';
}

/** Checks an import of a platform package by name. Whether package.json declares it is left to knip. */
function platformPackage(source: Source, specifier: string): Finding | null {
  const [importingPackage, name] = [packageOf(source.file), specifier.replace(/^@pergola\//, '').split('/')[0] ?? ''];
  if (source.isTest || !isPlatform(source) || packages.indexOf(name) < packages.indexOf(importingPackage)) return null;
  return tooHigh(importingPackage, name, specifier);
}

function tooHigh(importer: string, part: string, specifier: string): Finding {
  return [
    'part-order',
    `${importer} is below ${part}, the target of "${specifier}".`,
    'Move the shared code below both, or let the upper one pass it in.',
  ];
}

function isFixture(path: string, sources: Sources): boolean {
  return relative(sources.root, path).split(sep).join('/').startsWith('tools/testing/fixtures/');
}

function tsxOnServer(source: Source, { specifier, typeOnly }: Import): Finding | null {
  if (typeOnly || !specifier.endsWith('.tsx') || source.path.endsWith('.tsx') || source.isBrowser || source.isTest)
    return null;
  return [
    'server-imports-tsx',
    `Server code imports "${specifier}"; Node runs TypeScript, but not JSX.`,
    'Use the island in a template ({{island}}), or move the shared code to a .ts file.',
  ];
}

/** Direct and indirect dependencies of each addon; empty if the manifest can't be read statically. */
type Reach = ReadonlyMap<string, ReadonlySet<string>>;

function reachable({ files, addons }: Sources): Reach {
  const direct = new Map<string, readonly string[]>();
  for (const { name, folder } of addons) {
    const manifest = files.get(join(folder, 'addon.ts'))?.facts.manifest;
    // Packed addons are JavaScript, which the parser skips.
    const depends = manifest ? manifest.depends : dependsOf(folder);
    if (depends !== null) direct.set(name, depends);
  }
  const all = (name: string, seen: Set<string>): Set<string> => {
    for (const next of direct.get(name) ?? []) if (!seen.has(next)) all(next, seen.add(next));
    return seen;
  };
  return new Map(addons.filter(({ name }) => direct.has(name)).map(({ name }) => [name, all(name, new Set())]));
}
