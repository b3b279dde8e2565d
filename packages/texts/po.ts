import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTEXT_END } from '@pergola/browser';
import { type BuildMemory, type Problem, shortMemory } from '@pergola/core';
import { type GetTextTranslation, po } from 'gettext-parser';
import { isLanguageCode } from './languages.ts';
import { messageFault } from './message.ts';
import { type PluralRule, parsePluralForms, sourcePlural } from './plural.ts';

export interface CatalogEntry {
  /** The source text, or its singular. */
  readonly id: string;
  readonly plural?: string;
  /** The translation, or one per plural form. Never empty. */
  readonly texts: readonly string[];
  readonly line: number;
  /** Whether browser code uses it. */
  readonly browser: boolean;
  /** Whether the backend's screens use it. */
  readonly backend: boolean;
}

/** Usable translations of a `.po` file; empty, fuzzy and faulty ones are omitted. */
export interface Catalog {
  readonly addon: string;
  /** From the file name: `fr`, or `fr_CA` for regional differences. */
  readonly lang: string;
  /** Relative to the addon's folder. */
  readonly file: string;
  readonly plural: PluralRule;
  readonly entries: ReadonlyMap<string, CatalogEntry>;
}

export interface CatalogResult {
  readonly catalogs: readonly Catalog[];
  readonly problems: readonly Problem[];
}

/** Marks texts used by islands and other browser code, in an extracted comment (`#. browser`). */
export const browserMark = 'browser';
/** Marks texts used by the backend's screens. */
export const backendMark = 'backend';

/**
 * Reads every `i18n/*.po` of an addon. Reports unreadable files and translations that don't match their source, with file and line; the
 * source text is shown instead.
 */
export async function readCatalog(
  addonDir: string,
  addon: string,
  memory: BuildMemory = shortMemory(),
): Promise<CatalogResult> {
  const names = (await listPo(addonDir)).sort();
  const results = await Promise.all(
    names.map(async (name) => {
      const source = await readFile(path.join(addonDir, 'i18n', name), 'utf8');
      return parseCatalog({ addon, lang: name.slice(0, -'.po'.length), file: `i18n/${name}`, source }, memory);
    }),
  );
  return {
    catalogs: results.flatMap(({ catalog }) => catalog ?? []),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/**
 * Applies the marks of each text in one catalogue to the addon's other catalogues: its users don't depend on the language, and catalogues
 * that were written by hand or imported have no marks.
 */
export function shareMarks(catalogs: readonly Catalog[]): Catalog[] {
  const [browser, backend] = [new Set<string>(), new Set<string>()];
  const keyOf = (addon: string, id: string): string => `${addon}\0${id}`;
  for (const { addon, entries } of catalogs) {
    for (const entry of entries.values()) {
      if (entry.browser) browser.add(keyOf(addon, entry.id));
      if (entry.backend) backend.add(keyOf(addon, entry.id));
    }
  }
  const marked = (addon: string, entry: CatalogEntry): CatalogEntry => {
    const key = keyOf(addon, entry.id);
    return { ...entry, browser: browser.has(key), backend: backend.has(key) };
  };
  return catalogs.map((catalog) => ({
    ...catalog,
    entries: new Map([...catalog.entries].map(([id, entry]) => [id, marked(catalog.addon, entry)])),
  }));
}

async function listPo(addonDir: string): Promise<string[]> {
  try {
    return (await readdir(path.join(addonDir, 'i18n'))).filter((name) => name.endsWith('.po'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

export interface CatalogSource {
  readonly addon: string;
  readonly lang: string;
  readonly file: string;
  /** Text of the `.po` file. */
  readonly source: string;
}

/** Parses one `.po` file. */
export function parseCatalog(
  input: CatalogSource,
  memory: BuildMemory = shortMemory(),
): { catalog?: Catalog; problems: readonly Problem[] } {
  const { addon, lang, file } = input;
  const { content, problems } = memory.recall('catalogue', JSON.stringify(input), () => readContent(input));
  if (content === null) return { problems };
  const plural = content.plural === null ? sourcePlural : parsePluralForms(content.plural);
  const entries = new Map(content.entries.map((entry) => [entry.id, entry]));
  return { catalog: { addon, lang, file, plural, entries }, problems };
}

interface CatalogContent {
  /** The `Plural-Forms` header, or null if it is missing or invalid. */
  readonly plural: string | null;
  readonly entries: readonly CatalogEntry[];
}

function readContent({ addon, lang, file, source }: CatalogSource): {
  content: CatalogContent | null;
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const report: Report = (message, remedy, line) => problems.push({ addon, file, line, message, remedy });
  if (!isLanguageCode(lang)) {
    report(`"${lang}" is no language code.`, 'Name the file like fr.po or fr_CA.po.');
    return { content: null, problems };
  }
  try {
    const table = po.parse(source);
    const plural = pluralOf(table.headers['Plural-Forms'] ?? table.headers['plural-forms'], report);
    const lines = lineIndex(source);
    for (const id of lines.repeated) report(`"${short(id)}" is there twice.`, 'Keep one of the two.', lines.of(id));
    const translated = Object.values(table.translations)
      .flatMap(Object.values<GetTextTranslation>)
      .flatMap((entry) => entryOf(entry, lines));
    const rule = plural === null ? sourcePlural : parsePluralForms(plural);
    const entries = translated.filter((entry) => {
      const fault = entryFault(entry, rule);
      const message = `The translation of "${short(entry.id)}" does not fit: ${fault}.`;
      if (fault) report(message, 'The source text is shown until it does.', entry.line);
      return fault === undefined;
    });
    return { content: { plural, entries }, problems };
  } catch (error) {
    const line = error instanceof Error && 'lineNumber' in error ? Number(error.lineNumber) : undefined;
    report(
      `This is no readable catalogue: ${error instanceof Error ? error.message : String(error)}`,
      'Mend the file.',
      line,
    );
    return { content: null, problems };
  }
}

type Report = (message: string, remedy: string, line?: number) => void;

/** Returns the source text as written in code, including its context. */
export function idOf({ msgctxt, msgid }: Pick<GetTextTranslation, 'msgctxt' | 'msgid'>): string {
  return msgctxt ? msgctxt + CONTEXT_END + msgid : msgid;
}

/** Converts an entry if it is fully translated and not fuzzy. */
function entryOf(translation: GetTextTranslation, lines: ReturnType<typeof lineIndex>): CatalogEntry[] {
  const texts = translation.msgstr ?? [];
  const isComplete = texts.length > 0 && texts.every((text) => text !== '');
  if (!translation.msgid || !isComplete || isFuzzy(translation.comments?.flag)) return [];
  const notes = translation.comments?.extracted?.split('\n') ?? [];
  const id = idOf(translation);
  return [
    {
      id,
      plural: translation.msgid_plural,
      texts,
      line: lines.of(id) ?? 1,
      browser: notes.includes(browserMark),
      backend: notes.includes(backendMark),
    },
  ];
}

function pluralOf(header: string | undefined, report: Report): string | null {
  if (!header) return null;
  try {
    parsePluralForms(header);
    return header;
  } catch (error) {
    report(error instanceof Error ? error.message : String(error), 'Write it like "nplurals=2; plural=(n > 1);".');
    return null;
  }
}

function isFuzzy(flags: string | undefined): boolean {
  return flags?.split(/[,\n]\s*/).includes('fuzzy') ?? false;
}

function entryFault({ id, plural, texts }: CatalogEntry, rule: PluralRule): string | undefined {
  if (plural === undefined) return messageFault(id, texts[0] ?? '');
  if (texts.length !== rule.count) return `it has ${texts.length} forms, and the language has ${rule.count}`;
  return texts.map((text) => messageFault(plural, text, true)).find((fault) => fault !== undefined);
}

/** Shortens a text for an error message. */
function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Finds the first line of each entry of a `.po` text, which the parser doesn't report. */
function lineIndex(source: string): { of(id: string): number | undefined; repeated: readonly string[] } {
  const lines = new Map<string, number>();
  const repeated: string[] = [];
  let id: string | undefined;
  let context: string | undefined;
  let start = 0;
  const keep = (): void => {
    if (id === undefined) return;
    const key = idOf({ msgctxt: context, msgid: id });
    if (lines.has(key)) repeated.push(key);
    lines.set(key, start);
    id = undefined;
    context = undefined;
  };
  source.split('\n').forEach((line, index) => {
    const text = line.trim();
    if (text.startsWith('msgctxt ')) {
      keep();
      context = unquote(text.slice('msgctxt '.length));
    } else if (text.startsWith('msgid ')) {
      keep();
      id = unquote(text.slice('msgid '.length));
      start = index + 1;
    } else if (text.startsWith('"') && id !== undefined) id += unquote(text);
    else if (text.startsWith('msg')) keep();
  });
  keep();
  return { of: (id) => lines.get(id), repeated };
}

function unquote(quoted: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return quoted
    .trim()
    .slice(1, -1)
    .replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}
