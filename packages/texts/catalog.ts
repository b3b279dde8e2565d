import { type LanguageParameters, languageParameters } from './languages.ts';
import { fill } from './message.ts';
import { type PluralRule, sourcePlural } from './plural.ts';
import type { Catalog, CatalogEntry } from './po.ts';

type Params = Readonly<Record<string, unknown>>;

/** Translations of a generation: every catalogue of every enabled addon. */
export interface Catalogs {
  /** Returns the translation in an addon's own catalogue, with its placeholders; undefined if it is missing. */
  lookup(lang: string, addon: string, text: string): string | undefined;
  /** Returns the plural forms in an addon's own catalogue, to be chosen with {@link pluralIndex}. */
  forms(lang: string, addon: string, singular: string): readonly string[] | undefined;
  /** Returns the index of a language's plural form for a number. */
  pluralIndex(lang: string, n: number): number;
  /**
   * Translates a text and fills `{name}` from `params`; falls back to the source text. Without an addon, or if its own catalogue lacks the
   * text, uses the first addon that has it.
   */
  translate(lang: string, addon: string | null, text: string, params?: Params): string;
  /** Translates a text that depends on a number; also fills `{n}`. */
  plural(lang: string, addon: string | null, singular: string, pluralText: string, n: number, params?: Params): string;
  /** File and line of an addon's translation, for error messages. */
  place(lang: string, addon: string, text: string): { file: string; line: number } | undefined;
  /** Data for Odoo's clients: browser texts by addon, and the language's formats. `web` includes texts of the backend's screens. */
  bundle(lang: string, addons: readonly string[], area?: 'public' | 'web'): Bundle;
}

interface Bundle {
  readonly modules: Readonly<
    Record<string, { readonly messages: readonly { readonly id: string; readonly string: string }[] }>
  >;
  readonly lang_parameters: LanguageParameters;
}

/** Combines catalogues in addon order. `fr_CA` falls back to `fr`, and both to the source text. */
export function createCatalogs(catalogs: readonly Catalog[]): Catalogs {
  const byAddon = new Map<string, Catalog>();
  const shared = new Map<string, Map<string, CatalogEntry>>();
  const rules = new Map<string, PluralRule>();
  for (const catalog of catalogs) {
    byAddon.set(`${catalog.lang}|${catalog.addon}`, catalog);
    const entries = shared.get(catalog.lang) ?? new Map<string, CatalogEntry>();
    for (const [id, entry] of catalog.entries) if (!entries.has(id)) entries.set(id, entry);
    shared.set(catalog.lang, entries);
    if (!rules.has(catalog.lang)) rules.set(catalog.lang, catalog.plural);
  }

  const chains = new Map<string, readonly string[]>();
  const codes = (lang: string): readonly string[] => {
    const fallbacks = chains.get(lang) ?? chain(lang);
    chains.set(lang, fallbacks);
    return fallbacks;
  };
  const ownEntry = (lang: string, addon: string, text: string) => {
    for (const code of codes(lang)) {
      const catalog = byAddon.get(`${code}|${addon}`);
      const entry = catalog?.entries.get(text);
      if (catalog && entry) return { catalog, entry };
    }
    return undefined;
  };
  const findEntry = (lang: string, addon: string | null, text: string): CatalogEntry | undefined => {
    const ownTranslation = addon === null ? undefined : ownEntry(lang, addon, text)?.entry;
    if (ownTranslation) return ownTranslation;
    for (const code of codes(lang)) {
      const entry = shared.get(code)?.get(text);
      if (entry) return entry;
    }
    return undefined;
  };
  const rule = (lang: string): PluralRule => {
    const code = codes(lang).find((code) => rules.has(code));
    return (code && rules.get(code)) || sourcePlural;
  };

  return {
    lookup: (lang, addon, text) => ownEntry(lang, addon, text)?.entry.texts[0],
    forms: (lang, addon, singular) => ownEntry(lang, addon, singular)?.entry.texts,
    pluralIndex: (lang, n) => rule(lang).index(n),
    translate: (lang, addon, text, params) => fill(findEntry(lang, addon, text)?.texts[0] ?? text, params),
    plural(lang, addon, singular, pluralText, n, params) {
      const forms = findEntry(lang, addon, singular)?.texts;
      const text = forms && forms.length > 1 ? forms[rule(lang).index(n)] : undefined;
      return fill(text ?? (sourcePlural.index(n) === 0 ? singular : pluralText), { n, ...params });
    },
    place(lang, addon, text) {
      const match = ownEntry(lang, addon, text);
      return match && { file: match.catalog.file, line: match.entry.line };
    },
    bundle(lang, addons, area = 'public') {
      const modules = addons.map(
        (addon) => [addon, { messages: browserMessages(lang, addon, byAddon, area) }] as const,
      );
      return {
        modules: Object.fromEntries(modules),
        get lang_parameters() {
          return languageParameters(lang);
        },
      };
    },
  };
}

/** Language codes to look up, most specific first: `sr_RS@latin` → itself, `sr@latin`, `sr_RS`, `sr`. */
function chain(lang: string): readonly string[] {
  const [code = '', variant] = lang.split('@');
  const [language = ''] = code.split('_');
  const codes = variant ? [lang, `${language}@${variant}`, code, language] : [code, language];
  return [...new Set(codes)];
}

function browserMessages(lang: string, addon: string, byAddon: ReadonlyMap<string, Catalog>, area: 'public' | 'web') {
  const messages = new Map<string, string>();
  for (const code of chain(lang).toReversed()) {
    for (const { id, texts, browser, backend } of byAddon.get(`${code}|${addon}`)?.entries.values() ?? []) {
      if ((browser || (backend && area === 'web')) && texts[0]) messages.set(id, texts[0]);
    }
  }
  return [...messages].map(([id, string]) => ({ id, string }));
}
