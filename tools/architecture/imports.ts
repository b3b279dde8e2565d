import { join, relative, sep } from 'node:path';
import type { Import } from './parse.ts';
import type { Rule, Violation } from './problem.ts';
import { type Source, type Sources, target } from './sources.ts';

/** Who may import what, and that server code leaves `.tsx` to the browser. */
export function checkImports(sources: Sources): Violation[] {
  const reach = reachable(sources);
  return [...sources.files.values()].flatMap((source) =>
    source.facts.imports.flatMap((imported) => {
      const found = ownership(source, imported, sources, reach) ?? tsxOnServer(source, imported);
      if (found === null) return [];
      const [rule, message, remedy] = found;
      return [{ rule, file: source.file, line: imported.line, message, remedy }];
    }),
  );
}

/** Addons that do not say plainly what they depend on. */
export function checkManifests(sources: Sources): Violation[] {
  return [...sources.files.values()].flatMap((source) => {
    const { manifest } = source.facts;
    if (source.isTest || manifest === null || manifest.depends !== null) return [];
    const message = 'What this addon depends on cannot be read without running it.';
    const remedy = "Write `depends` as a plain list of names: depends: ['website'].";
    return [{ rule: 'manifest' as const, file: source.file, line: manifest.line, message, remedy }];
  });
}

type Finding = [rule: Rule, message: string, remedy: string];

function ownership(source: Source, { specifier }: Import, sources: Sources, reach: Reach): Finding | null {
  if (specifier.startsWith('#core'))
    return source.addon === null ? coreFace(source, specifier) : face(source, specifier);
  if (specifier.startsWith('#addons/')) {
    return source.addon === null
      ? addonFromCore(source, specifier)
      : otherAddon(source, source.addon.name, specifier, reach);
  }
  return specifier.startsWith('.') ? relativeImport(source, specifier, sources) : null;
}

function coreFace(source: Source, specifier: string): Finding | null {
  if (source.isTest || !source.file.startsWith('core/')) return null;
  return [
    'foreign-import',
    `The core imports its own public face "${specifier}", which imports this file in turn.`,
    'Import the file that declares it, by its path.',
  ];
}

function addonFromCore(source: Source, specifier: string): Finding {
  return [
    'core-imports-addon',
    `${source.file.startsWith('core/') ? 'The core' : 'The start of the server'} imports the addon "${specifier}", so it no longer works without it.`,
    'Let the addon register what is needed (a value in its addon.ts) and let the core use what is registered.',
  ];
}

/** What addons may import of the core on a running site. */
const faces: ReadonlySet<string> = new Set([
  '#core',
  ...['orm', 'http', 'pages', 'mail', 'kernel', 'browser', 'zones', 'islands', 'html'].map((name) => `#core/${name}`),
]);

function face(source: Source, specifier: string): Finding | null {
  if (faces.has(specifier)) return null;
  if (specifier !== '#core/testing' && !specifier.startsWith('#core/testing/')) {
    return [
      'foreign-import',
      `"${specifier}" is inside the core, and may change with every version of it.`,
      'Import from #core or one of its further faces (browser code: #core/browser, #core/islands, #core/html); what is missing there is to be added to core/index.ts.',
    ];
  }
  if (source.isTest) return null;
  return ['foreign-import', `"${specifier}" is not there on a running site.`, 'Import it in tests only.'];
}

function otherAddon(source: Source, own: string, specifier: string, reach: Reach): Finding | null {
  const [name = '', part, ...rest] = specifier.slice('#addons/'.length).split('/');
  if (rest.length > 0 || (part !== undefined && !isBrowserFace(part))) {
    return [
      'foreign-import',
      `"${specifier}" is inside the addon ${name}, and may change with every version of it.`,
      `Import from #addons/${name} (browser code: #addons/${name}/browser or …/kit); what is missing there is to be added to its index.ts.`,
    ];
  }
  if (name === own) {
    // A fixture addon among an addon's tests is an addon of its own that stands on it.
    if (isBrowserFace(part) || (source.isTest && source.file.includes('/tests/fixtures/'))) return null;
    return ['foreign-import', `${own} imports its own public face.`, 'Import the file that declares it, by its path.'];
  }
  const depends = reach.get(own);
  if (depends === undefined || depends.has(name)) return null;
  return [
    'undeclared-dependency',
    `${own} imports the addon ${name}, which is not among its depends (nor among theirs), so it fails where ${name} is not enabled.`,
    `Add '${name}' to \`depends\` in addon.ts of ${own}, or do without it${source.isTest ? ' in this test' : ''}.`,
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
    const right = owner === null ? '#core (tests: #core/testing)' : `#addons/${owner.name}`;
    return [
      'foreign-import',
      `"${specifier}" leads out of the addon ${source.addon.name}, into ${owner === null ? 'what is not its own' : `the inside of ${owner.name}`}.`,
      `Import from ${right}.`,
    ];
  }
  if (owner !== null && !(source.isTest && isFixture(path, sources))) return addonFromCore(source, specifier);
  if (source.isTest || !source.file.startsWith('core/')) return null;
  const isTool = path.startsWith(join(sources.root, 'tools') + sep);
  if (!isTool) return betweenParts(source, specifier, relative(join(sources.root, 'core'), path).split(sep).join('/'));
  return [
    'core-imports-tools',
    `"${specifier}" is a tool; a running site has none.`,
    'Let whoever starts the server hand over what is needed.',
  ];
}

/** The parts of the core, the lowest first: each may use those before it. */
const parts: readonly string[] = [
  ...[
    'base',
    'browser',
    'kernel',
    'db',
    'context',
    'i18n',
    'files',
    'cluster',
    'cache',
    'model',
    'settings',
    'jobs',
    'island',
  ],
  ...['page', 'http', 'mail', 'install', 'app'],
];

/** `to`: the imported file, as seen from `core/`. */
function betweenParts({ file }: Source, specifier: string, to: string): Finding | null {
  const [, own = '', ...inside] = file.split('/');
  const [part = '', ...rest] = to.split('/');
  if (inside.length === 0 || rest.length === 0 || part === own) return null;
  if (parts.indexOf(part) > parts.indexOf(own)) {
    return [
      'part-order',
      `The part ${own} stands below ${part}, which "${specifier}" leads to.`,
      'Move what both need to a part below them, or let the upper one hand it over.',
    ];
  }
  if (rest.join('/') === 'index.ts') return null;
  return [
    'part-inside',
    `"${specifier}" is inside the part ${part}.`,
    `Import from core/${part}/index.ts; what is missing there is to be added to it.`,
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
    `Server code imports "${specifier}"; Node runs TypeScript, but no JSX.`,
    'Name the island in a template ({{island}}), or move what both need to a .ts file.',
  ];
}

/** The addons that each addon may rely on, through others too; none for an addon whose manifest does not say. */
type Reach = ReadonlyMap<string, ReadonlySet<string>>;

function reachable({ files, addons }: Sources): Reach {
  const direct = new Map<string, readonly string[]>();
  for (const source of files.values()) {
    const { manifest } = source.facts;
    if (source.addon !== null && !source.isTest && manifest?.depends) direct.set(source.addon.name, manifest.depends);
  }
  const all = (name: string, seen: Set<string>): Set<string> => {
    for (const next of direct.get(name) ?? []) if (!seen.has(next)) all(next, seen.add(next));
    return seen;
  };
  return new Map(addons.filter(({ name }) => direct.has(name)).map(({ name }) => [name, all(name, new Set())]));
}
