import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Fills, FORM_MARK, LISTED_NUMBERS, type Translation } from '@pergola/browser';
import type { Breakers } from '@pergola/cluster';
import type { Addon, Ctx } from '@pergola/core';
import { didYouMean, type Log, type Problem } from '@pergola/core';
import type { Catalogs } from '@pergola/texts';
import { compile } from 'css-select';
import type { z } from 'zod';
import { type BuildPlace, buildAddon, buildFolder } from './build.ts';
import { buildCore, type CoreManifest } from './core-build.ts';
import { type Area, createHead, pressRecorder, zoneMarker } from './head.ts';
import { createIcons } from './icons.ts';
import { defaultBuildDir } from './kept-build.ts';
import { CORE_FACE, faceOf, ISLANDS_FACE, pascalCase } from './names.ts';
import { PROPS_REMEDY, readProps } from './props.ts';
import { type BrowserTexts, type IslandPlace, IslandRenderer } from './render.ts';
import { StaticFiles } from './static-files.ts';
import type { Island, IslandOptions, Manifest } from './types.ts';

/** Browser assets of a generation, and its islands. */
export interface AssetSet {
  /**
   * Asset tags of a page's head: style sheets, import map, page data, loader. The same for all pages of a site, language and area.
   *
   * @param prefix prefix of page paths in this language: `/fr`, or empty
   * @param zone IANA time zone of the site
   */
  head(area: Area, lang: string, prefix: string, zone: string): string;
  /** Base64 of the SHA-256 of each inline script of the head, for the CSP. */
  readonly inlineHashes: readonly string[];
  readonly islandIds: readonly string[];
  /** Style sheets that pages load on demand, `<addon>.<name>`. */
  readonly stylesheetIds: readonly string[];
  /** Schema of an island's props; undefined if there is no such island. */
  propsSchema(id: string): z.ZodType | undefined;
  /** Address of an addon's style sheet `styles/<name>.page.scss`, by `<addon>.<name>`; undefined if it doesn't exist. */
  stylesheet(id: string): string | undefined;
  /** Resolves once `island` can render: the first page waits for the components. */
  ready(): Promise<void>;
  /**
   * HTML of an island. Never throws: a failing island leaves an empty place and a log entry. A cached page and the fragments filled in
   * later are rendered separately, so their island ids must not collide.
   */
  island(id: string, props: unknown, options: IslandOptions, ctx: Ctx, place: IslandPlace): string;
  /** An icon of Bootstrap Icons as inline SVG, hidden from screen readers; empty for an unknown name. */
  icon(name: string): string;
  /** Serves `/_assets/…` and `/<addon>/static/…`. Returns false for unknown paths. */
  serve(path: string, req: IncomingMessage, res: ServerResponse): Promise<boolean>;
}

export interface AssetOptions {
  readonly dev: boolean;
  readonly log: Log;
  readonly breakers: Breakers;
  readonly catalogs: Catalogs;
  /** Selectors of each addon's behaviours. */
  readonly behaviours: BehaviourSelectors;
  readonly languages: readonly string[];
  readonly roots: readonly string[];
  /** Default: `.build` in the repository, from where `react` resolves. */
  readonly buildDir?: string;
  /** Awaited between addons, so that a running server stays responsive. */
  readonly pause?: () => Promise<void>;
}

/** CSS selectors by the id of a behaviour (`website.share`), by addon. */
type BehaviourSelectors = ReadonlyMap<string, Readonly<Record<string, string>>>;

interface Built {
  readonly addon: Addon;
  readonly manifest: Manifest;
  readonly folder: string;
}

/**
 * Builds whatever has changed and assembles the assets of a generation's pages. Problems: failing builds, an island without a props schema,
 * a behaviour without a file.
 */
export async function buildAssets(
  addons: readonly Addon[],
  options: AssetOptions,
): Promise<{ assets: AssetSet; problems: Problem[] }> {
  const { dev, roots, buildDir = defaultBuildDir } = options;
  const core = await buildCore(buildDir, dev);
  const { built, islands, problems } = await buildAll(addons, { buildDir, dev, roots }, options);
  const translations = browserTexts(addons, options);
  const texts = textFiles(translations);
  const common = await commonSheets(path.join(core.folder, 'browser', core.manifest.style), built, dev);
  const importMap = importMapOf(core.manifest, built);
  const files = new StaticFiles({
    folders: new Map([
      ['core', path.join(core.folder, 'browser')],
      ...built.map(({ addon, folder }) => [addon.name, path.join(folder, 'browser')] as const),
    ]),
    statics: new Map(addons.map(({ name, folder }) => [name, path.join(folder, 'static')])),
    made: new Map([...texts.files, ...common.files]),
    log: options.log,
  });
  const sheets = pageSheets(built);
  const reactFolder = path.join(core.folder, 'server');
  const renderer = new IslandRenderer(islands, { ...options, texts: translations, reactFolder });
  const icons = createIcons();
  return {
    problems,
    assets: {
      head: createHead({
        core: core.manifest,
        sheets: common.addresses,
        pageSheets: [...sheets.values()],
        importMap,
        built,
        behaviours: options.behaviours,
        texts: texts.addresses,
        dev,
      }),
      inlineHashes: [importMap, pressRecorder, zoneMarker].map((script) =>
        createHash('sha256').update(script).digest('base64'),
      ),
      islandIds: [...islands.keys()],
      stylesheetIds: [...sheets.keys()],
      propsSchema: (id) => islands.get(id)?.schema,
      stylesheet: (id) => sheets.get(id),
      ready: () => renderer.load(),
      island: (id, props, options, ctx, place) => renderer.render(id, props, options, ctx, place),
      icon: icons,
      serve: (address, req, res) => files.serve(address, req, res),
    },
  };
}

async function buildAll(
  addons: readonly Addon[],
  place: BuildPlace,
  { pause, behaviours }: AssetOptions,
): Promise<{ built: Built[]; islands: Map<string, Island>; problems: Problem[] }> {
  const problems: Problem[] = [];
  const built: Built[] = [];
  const islands = new Map<string, Island>();
  for (const addon of addons) {
    await pause?.();
    const result = await buildAddon(addon, place);
    problems.push(...result.problems, ...behaviourProblems(addon.name, behaviours.get(addon.name), result));
    if (!result.manifest) continue;
    const builtAddon = { addon, manifest: result.manifest, folder: buildFolder(addon, place) };
    built.push(builtAddon);
    const loaded = await loadIslands(builtAddon);
    problems.push(...loaded.problems);
    for (const island of loaded.islands) islands.set(island.id, island);
  }
  for (const builtAddon of built) problems.push(...(await fillSlots(builtAddon, islands)));
  return { built, islands, problems };
}

function importMapOf({ vendor, face, islands }: CoreManifest, built: readonly Built[]): string {
  const imports: Record<string, string> = {};
  for (const [name, file] of Object.entries({ ...vendor, [CORE_FACE]: face, [ISLANDS_FACE]: islands }))
    imports[name] = `/_assets/core/${file}`;
  for (const { addon, manifest } of built)
    for (const [name, file] of Object.entries(manifest.faces))
      imports[faceOf(addon.name, name)] = `/_assets/${addon.name}/${file}`;
  return JSON.stringify({ imports });
}

/**
 * Joins the common style sheets of an area into one file, so that pages wait for one response instead of one per addon. In development,
 * sheets stay separate so that a saved one can be replaced.
 */
async function commonSheets(core: string, built: readonly Built[], dev: boolean) {
  const sheets = (area: Area): { address: string; file: string }[] => [
    { address: `/_assets/core/${path.basename(core)}`, file: core },
    ...built.flatMap(({ addon, manifest, folder }) =>
      [...manifest.styles.public, ...(area === 'web' ? manifest.styles.web : [])].map((file) => ({
        address: `/_assets/${addon.name}/${file}`,
        file: path.join(folder, 'browser', file),
      })),
    ),
  ];
  const files = new Map<string, Buffer>();
  const addressesOf = async (area: Area): Promise<readonly string[]> => {
    if (dev) return sheets(area).map(({ address }) => address);
    const joined = Buffer.concat(await Promise.all(sheets(area).map(({ file }) => readFile(file))));
    const address = `/_assets/core/${area}.${createHash('sha256').update(joined).digest('hex').slice(0, 10)}.css`;
    files.set(address, joined);
    return [address];
  };
  return { files, addresses: { public: await addressesOf('public'), web: await addressesOf('web') } };
}

function pageSheets(built: readonly Built[]): ReadonlyMap<string, string> {
  return new Map(
    built.flatMap(({ addon: { name }, manifest }) =>
      Object.entries(manifest.styles.pages).map(([sheet, file]) => [`${name}.${sheet}`, `/_assets/${name}/${file}`]),
    ),
  );
}

function behaviourProblems(
  name: string,
  selectors: Readonly<Record<string, string>> = {},
  { manifest, problems: buildProblems }: Awaited<ReturnType<typeof buildAddon>>,
): Problem[] {
  return Object.entries(selectors).flatMap(([id, selector]) => {
    const problem = { addon: name, file: 'addon.ts' };
    const [owner, file = ''] = id.split('.');
    // An addon whose scripts fail to build has reported that already.
    const isThere = owner === name && (buildProblems.length > 0 || Object.hasOwn(manifest?.behaviours ?? {}, file));
    const problems: Problem[] = [];
    if (!isThere)
      problems.push({
        ...problem,
        message: `behaviour "${id}" has no file behaviours/${file}.ts.`,
        remedy: 'Add the file, or correct the name: `<addon>.<file name>`.',
      });
    if (!isSelector(selector))
      problems.push({
        ...problem,
        message: `behaviour "${id}": "${selector}" is no CSS selector.`,
        remedy: 'Correct it.',
      });
    return problems;
  });
}

/** A single invalid selector would stop the loader on every page. */
function isSelector(selector: string): boolean {
  try {
    compile(selector);
    return true;
  } catch {
    return false;
  }
}

async function loadIslands({ addon, manifest, folder }: Built): Promise<{ islands: Island[]; problems: Problem[] }> {
  const islands: Island[] = [];
  const problems: Problem[] = [];
  for (const [name, { script, style, server }] of Object.entries(manifest.islands)) {
    const read = await readProps(addon.folder, `islands/${name}.props`);
    if ('message' in read) {
      problems.push({ addon: addon.name, ...read, remedy: PROPS_REMEDY });
      continue;
    }
    islands.push({
      id: `${addon.name}.${pascalCase(name)}`,
      addon: addon.name,
      folder: addon.folder,
      file: `islands/${name}.tsx`,
      ...read,
      script: `/_assets/${addon.name}/${script}`,
      style: style && `/_assets/${addon.name}/${style}`,
      server: path.join(folder, 'server', server),
      fills: [],
    });
  }
  return { islands, problems };
}

/** Adds an addon's components to the slots of other addons' islands. Problems: a missing island, an undeclared slot. */
async function fillSlots({ addon, manifest, folder }: Built, islands: Map<string, Island>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [id, { script, style, server }] of Object.entries(manifest.slots)) {
    const file = `islands/${id}.slots.tsx`;
    const island = islands.get(id);
    if (!island) {
      const message = `there is no island "${id}". ${didYouMean(id, islands.keys())}`.trim();
      problems.push({
        addon: addon.name,
        file,
        message,
        remedy: 'The file is named after the island it fills: `<addon>.<Island>.slots.tsx`.',
      });
      continue;
    }
    const { slots = [] } = island.settings;
    const { default: components } = (await import(pathToFileURL(path.join(folder, 'server', server)).href)) as {
      default: Fills;
    };
    for (const name of Object.keys(components)) {
      if (slots.includes(name)) continue;
      const message = `island "${id}" has no slot "${name}". ${didYouMean(name, slots)}`.trim();
      problems.push({ addon: addon.name, file, message, remedy: `Its slots: ${slots.join(', ') || 'none'}.` });
    }
    const address = (name: string): string => `/_assets/${addon.name}/${name}`;
    const fill = { addon: addon.name, script: address(script), style: style && address(style), components };
    islands.set(id, { ...island, fills: [...island.fills, fill] });
  }
  return problems;
}

/** Texts for browsers, by `<area> <language>`: source to translation, or to one per addon if they differ. */
function browserTexts(addons: readonly Addon[], { catalogs, languages }: AssetOptions): BrowserTexts {
  const texts = new Map<string, Map<string, Translation>>();
  const names = ['core', ...addons.map(({ name }) => name)];
  for (const lang of languages) {
    for (const area of ['public', 'web'] as const) {
      const { modules } = catalogs.bundle(lang, names, area);
      const byAddon = new Map<string, Record<string, string>>();
      for (const [addon, { messages }] of Object.entries(modules)) {
        for (const { id, string } of messages) {
          byAddon.set(id, { ...byAddon.get(id), [addon]: string });
          for (const [form, text] of (catalogs.forms(lang, addon, id) ?? []).entries()) {
            const key = `${id}${FORM_MARK}${form}`;
            if (form > 0) byAddon.set(key, { ...byAddon.get(key), [addon]: text });
          }
        }
      }
      const translations = [...byAddon].map(([id, textByAddon]): [string, Translation] => {
        const [commonText, ...others] = new Set(Object.values(textByAddon));
        return [id, commonText !== undefined && others.length === 0 ? commonText : textByAddon];
      });
      const hasForms = translations.some(([id]) => id.includes(FORM_MARK));
      texts.set(
        `${area} ${lang}`,
        new Map(hasForms ? [...translations, [FORM_MARK, formsOf(catalogs, lang)]] : translations),
      );
    }
  }
  return texts;
}

/** Plural form of each number for browsers, one digit each. */
function formsOf(catalogs: AssetOptions['catalogs'], lang: string): string {
  return Array.from({ length: LISTED_NUMBERS }, (_, n) => catalogs.pluralIndex(lang, n)).join('');
}

/** Text files for browsers, and their addresses. */
function textFiles(all: BrowserTexts): { files: Map<string, Buffer>; addresses: Map<string, string> } {
  const files = new Map<string, Buffer>();
  const addresses = new Map<string, string>();
  for (const [key, texts] of all) {
    if (texts.size === 0) continue;
    const content = Buffer.from(JSON.stringify(Object.fromEntries(texts)));
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const address = `/_assets/core/texts.${key.split(' ')[1]}.${hash}.json`;
    files.set(address, content);
    addresses.set(key, address);
  }
  return { files, addresses };
}
