import { isDeepStrictEqual } from 'node:util';
import { type SanitizeProfile, sanitizeHtml } from '@pergola/content';
import { z } from 'zod';
import { FieldProblem } from '../write/problems.ts';
import { textsOf } from '../write/stored.ts';
import { matchTexts } from './match.ts';
import { changedSlot, followSlots, followTerms, type LanguageTerms, type Term, textOfTerm } from './realign.ts';
import { fillSlots, isInlineMarkup, type Slot, splitMarkup } from './split.ts';

/** A translated text of markup: `source` is the text it translates. Null restores the source's text. */
export interface TermChange {
  /** Index of the source's slot, starting at 0. */
  readonly at: number;
  readonly source: string;
  readonly text: string | null;
}

/**
 * Markup in all its languages. One of them, the source, has the structure; the others only have texts.
 *
 * ```
 * stored { en_US: '<h1>Hello</h1>', fr_FR: '<h1>Bonjour</h1>', _terms: … }     each language in full, so that reading is cheap
 * _terms { source: 'en_US', of: { fr_FR: { terms: [['Bonjour', 'Hi']], gone: {} } } }   only if the languages alone don't contain all of it
 * ```
 */
export interface Markup {
  /** The language with the structure. */
  readonly source: string;
  readonly html: string;
  readonly slots: readonly Slot[];
  readonly languages: ReadonlyMap<string, LanguageTerms>;
}

const storedTermsSchema = z.object({
  source: z.string(),
  of: z.record(
    z.string(),
    z.object({
      terms: z.array(z.union([z.null(), z.string(), z.tuple([z.string(), z.string()])])),
      gone: z.record(z.string(), z.string()),
    }),
  ),
});

const changesSchema = z.object({
  terms: z
    .array(
      z
        .object({ at: z.int().min(0), source: z.string().max(200_000), text: z.string().max(200_000).nullable() })
        .strict(),
    )
    .max(20_000),
});

/** Returns the changed texts in a value, or null for anything else. */
export function changedTerms(value: unknown): readonly TermChange[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const parsed = changesSchema.safeParse(value);
  if (!parsed.success) throw new FieldProblem('Expected text.');
  return parsed.data.terms;
}

/** Parses the stored value of a translated markup field; returns null if it is empty. */
export function markupOf(stored: unknown, fallback: string): Markup | null {
  const texts = textsOf(stored);
  const raw =
    typeof stored === 'object' && stored !== null && '_terms' in stored
      ? storedTermsSchema.safeParse(stored._terms)
      : null;
  const source = raw?.success && texts[raw.data.source] !== undefined ? raw.data.source : fallback;
  const html = texts[source];
  if (html === undefined) return null;
  const slots = splitMarkup(html);
  const languages = new Map<string, LanguageTerms>();
  for (const [lang, text] of Object.entries(texts)) {
    if (lang === source) continue;
    const storedTerms = raw?.success ? raw.data.of[lang] : undefined;
    languages.set(
      lang,
      storedTerms?.terms.length === slots.length
        ? storedTerms
        : { terms: matchTexts(html, text).texts, gone: storedTerms?.gone ?? {} },
    );
  }
  return { source, html, slots, languages };
}

/** Returns the markup in a language. */
export function markupIn({ source, html, slots, languages }: Markup, lang: string): string {
  const translation = lang === source ? undefined : languages.get(lang);
  return translation ? fillSlots(html, slots, translation.terms.map(textOfTerm)) : html;
}

/** Sanitising of texts. */
export interface Cleaning {
  readonly profile: SanitizeProfile;
  /** Brings complete markup into its stored form. */
  finish(html: string): string | null;
  /** Rejects a translation with more parts than its source; otherwise these parts are dropped. */
  readonly strict: boolean;
}

/**
 * Applies changes to markup: changes of the source replace the structure for all languages, which keep their texts; changes of other
 * languages replace texts.
 *
 * @throws FieldProblem for a translation that doesn't fit the source.
 */
export function mergeMarkup(
  stored: unknown,
  updates: ReadonlyMap<string, string | null | readonly TermChange[]>,
  fallback: string,
  cleaning: Cleaning,
): Readonly<Record<string, string>> | null {
  const current = inStructureOf(markupOf(stored, fallback), updates.get('source'));
  const isEmptied = current !== null && (updates.get(current.source) === null || updates.get(fallback) === null);
  const base = current && !isEmptied ? withSource(current, updates.get(current.source)) : newMarkup(updates, fallback);
  if (!base) return null;
  const languages = new Map(base.languages);
  for (const [lang, change] of updates) {
    if (lang === base.source || lang === 'source') continue;
    if (change === null) languages.delete(lang);
    else
      languages.set(
        lang,
        typeof change === 'string'
          ? withTranslation(base, lang, change, cleaning)
          : withTerms(base, lang, change, cleaning),
      );
  }
  return storedForm({ ...base, languages }, fallback, cleaning);
}

/** Makes another language the source, which provides the structure. */
function inStructureOf(markup: Markup | null, lang: unknown): Markup | null {
  if (!markup || typeof lang !== 'string' || lang === markup.source) return markup;
  const html = markupIn(markup, lang);
  const otherLanguages = [markup.source, ...markup.languages.keys()].filter((candidate) => candidate !== lang);
  const languages = otherLanguages.map(
    (language) => [language, { terms: matchTexts(html, markupIn(markup, language)).texts, gone: {} }] as const,
  );
  return { source: lang, html, slots: splitMarkup(html), languages: new Map(languages) };
}

function newMarkup(updates: ReadonlyMap<string, unknown>, fallback: string): Markup | null {
  const texts = [...updates].flatMap(([lang, text]): [string, string][] =>
    typeof text === 'string' && lang !== 'source' ? [[lang, text]] : [],
  );
  const [source, html] = texts.find(([lang]) => lang === fallback) ?? texts[0] ?? [];
  if (source === undefined || html === undefined) return null;
  return { source, html, slots: splitMarkup(html), languages: new Map() };
}

function withSource(markup: Markup, html: unknown): Markup {
  if (typeof html !== 'string' || html === markup.html) return markup;
  const slots = splitMarkup(html);
  const origins = followSlots(markup.slots, slots);
  const languages = [...markup.languages].map(
    ([lang, terms]) => [lang, followTerms(terms, markup.slots, slots, origins)] as const,
  );
  return { ...markup, html, slots, languages: new Map(languages) };
}

function termsIn({ slots, languages }: Markup, lang: string): LanguageTerms {
  return languages.get(lang) ?? { terms: slots.map(() => null), gone: {} };
}

function withTranslation(markup: Markup, lang: string, html: string, { strict }: Cleaning): LanguageTerms {
  const { texts, left: leftovers } = matchTexts(markup.html, html);
  if (strict && leftovers.length > 0)
    throw new FieldProblem(
      'The text in {lang} has parts that the one in {source} does not have. Add them in {source}, then translate them.',
      { lang, source: markup.source },
    );
  const { terms, gone: removedTexts } = termsIn(markup, lang);
  return {
    gone: removedTexts,
    terms: texts.map((text, index): Term => {
      const term = terms[index] ?? null;
      return textOfTerm(term) === (text ?? markup.slots[index]?.text) ? term : text;
    }),
  };
}

function withTerms(markup: Markup, lang: string, changed: readonly TermChange[], cleaning: Cleaning): LanguageTerms {
  const { slots } = markup;
  const { terms, gone: removedTexts } = termsIn(markup, lang);
  const [now, remembered] = [[...terms], { ...removedTexts }];
  for (const { at: slotIndex, source, text } of changed) {
    const index = slots[slotIndex]?.text === source ? slotIndex : slots.findIndex((slot) => slot.text === source);
    const slot = slots[index];
    if (slot) now[index] = text === null ? null : cleaned(slot, text, cleaning.profile);
    else if (text !== null) {
      // The source was changed meanwhile: the translation needs a review, or is remembered in case the text comes back.
      const place = changedSlot(slots, now, source);
      const cleanText = cleaned({ kind: slots[place]?.kind ?? 'text' }, text, cleaning.profile);
      if (place < 0) remembered[source] = cleanText;
      else now[place] = [cleanText, source];
    }
  }
  return { terms: now, gone: remembered };
}

/**
 * Cleans a translated text.
 *
 * @throws FieldProblem if it is more than a text
 */
function cleaned({ kind }: Pick<Slot, 'kind'>, text: string, profile: SanitizeProfile): string {
  if (kind === 'link') {
    if (/^(https?:\/\/|mailto:|tel:|[#?]|\/(?!\/))/i.test(text.trim())) return text.trim();
    throw new FieldProblem('“{address}” isn’t a valid link address.', { address: text.slice(0, 60) });
  }
  if (kind !== 'text') return text.replace(/\p{Cc}+/gu, ' ');
  const html = sanitizeHtml(text, profile).trim();
  if (isInlineMarkup(html)) return html;
  throw new FieldProblem('A translation can change text, links and formatting, but not add paragraphs or blocks.');
}

function storedForm(markup: Markup, fallback: string, { finish }: Cleaning): Readonly<Record<string, string>> | null {
  const { source, html, languages } = markup;
  const texts: Record<string, string> = { [source]: html };
  const languageTerms: Record<string, LanguageTerms> = {};
  for (const [lang, translation] of languages) {
    const isOwn = translation.terms.some((term) => term !== null);
    const rendered = isOwn ? finish(markupIn(markup, lang)) : null;
    if (rendered !== null) texts[lang] = rendered;
    const isSaid = rendered === null || isDeepStrictEqual(matchTexts(html, rendered).texts, translation.terms);
    if (!isSaid || Object.keys(translation.gone).length > 0) languageTerms[lang] = translation;
  }
  texts[fallback] ??= html;
  const sorted = Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (source === fallback && Object.keys(languageTerms).length === 0) return sorted;
  return { ...sorted, _terms: { source, of: languageTerms } } as unknown as Readonly<Record<string, string>>;
}
