import { isDeepStrictEqual } from 'node:util';
import { type SanitizeProfile, sanitizeHtml } from '@pergola/content';
import { z } from 'zod';
import { FieldProblem } from '../write/problems.ts';
import { textsOf } from '../write/stored.ts';
import { matchTexts } from './match.ts';
import { changedSlot, followSlots, followTerms, type LanguageTerms, type Term, textOfTerm } from './realign.ts';
import { fillSlots, isInlineMarkup, type Slot, splitMarkup } from './split.ts';

/** A text of markup in another language: `source` is what it translates. Null: the source's own text again. */
export interface TermChange {
  /** Which slot of the source it is for, counted from 0. */
  readonly at: number;
  readonly source: string;
  readonly text: string | null;
}

/**
 * Markup in all its languages. Its structure is that of one of them, of which the others have texts only.
 *
 * ```
 * kept   { en_US: '<h1>Hello</h1>', fr_FR: '<h1>Bonjour</h1>', _terms: … }     each language as it is shown: reading needs no more than today
 * _terms { source: 'en_US', of: { fr_FR: { terms: [['Bonjour', 'Hi']], gone: {} } } }   only where the languages beside each other do not say it all
 * ```
 */
export interface Markup {
  /** The language whose structure it is. */
  readonly source: string;
  readonly html: string;
  readonly slots: readonly Slot[];
  readonly languages: ReadonlyMap<string, LanguageTerms>;
}

const keptTerms = z.object({
  source: z.string(),
  of: z.record(
    z.string(),
    z.object({
      terms: z.array(z.union([z.null(), z.string(), z.tuple([z.string(), z.string()])])),
      gone: z.record(z.string(), z.string()),
    }),
  ),
});

const changes = z.object({
  terms: z
    .array(
      z
        .object({ at: z.int().min(0), source: z.string().max(200_000), text: z.string().max(200_000).nullable() })
        .strict(),
    )
    .max(20_000),
});

/** The changed texts that a value names; null for anything else. */
export function changedTerms(value: unknown): readonly TermChange[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const parsed = changes.safeParse(value);
  if (!parsed.success) throw new FieldProblem('Expected text.');
  return parsed.data.terms;
}

/** What is kept of a translated field that holds markup; null for nothing. */
export function markupOf(kept: unknown, fallback: string): Markup | null {
  const texts = textsOf(kept);
  const raw = typeof kept === 'object' && kept !== null && '_terms' in kept ? keptTerms.safeParse(kept._terms) : null;
  const source = raw?.success && texts[raw.data.source] !== undefined ? raw.data.source : fallback;
  const html = texts[source];
  if (html === undefined) return null;
  const slots = splitMarkup(html);
  const languages = new Map<string, LanguageTerms>();
  for (const [lang, text] of Object.entries(texts)) {
    if (lang === source) continue;
    const own = raw?.success ? raw.data.of[lang] : undefined;
    languages.set(
      lang,
      own?.terms.length === slots.length ? own : { terms: matchTexts(html, text).texts, gone: own?.gone ?? {} },
    );
  }
  return { source, html, slots, languages };
}

/** The markup in a language. */
export function markupIn({ source, html, slots, languages }: Markup, lang: string): string {
  const own = lang === source ? undefined : languages.get(lang);
  return own ? fillSlots(html, slots, own.terms.map(textOfTerm)) : html;
}

/** What the texts are cleaned with. */
export interface Cleaning {
  readonly profile: SanitizeProfile;
  /** Brings whole markup into the form that is kept. */
  finish(html: string): string | null;
  /** Refuses a translation that has more than its source; else that is left out. */
  readonly strict: boolean;
}

/**
 * Markup with changes over it: of the source its structure, which all other languages get with their own texts in it; of another language its texts.
 *
 * @throws FieldProblem for a translation that the source has no place for.
 */
export function mergeMarkup(
  kept: unknown,
  given: ReadonlyMap<string, string | null | readonly TermChange[]>,
  fallback: string,
  cleaning: Cleaning,
): Readonly<Record<string, string>> | null {
  const before = inStructureOf(markupOf(kept, fallback), given.get('source'));
  const isEmptied = before !== null && (given.get(before.source) === null || given.get(fallback) === null);
  const begun = before && !isEmptied ? withSource(before, given.get(before.source)) : newMarkup(given, fallback);
  if (!begun) return null;
  const languages = new Map(begun.languages);
  for (const [lang, change] of given) {
    if (lang === begun.source || lang === 'source') continue;
    if (change === null) languages.delete(lang);
    else
      languages.set(
        lang,
        typeof change === 'string'
          ? withTranslation(begun, lang, change, cleaning)
          : withTerms(begun, lang, change, cleaning),
      );
  }
  return written({ ...begun, languages }, fallback, cleaning);
}

/** The same in the structure of another of its languages. */
function inStructureOf(markup: Markup | null, lang: unknown): Markup | null {
  if (!markup || typeof lang !== 'string' || lang === markup.source) return markup;
  const html = markupIn(markup, lang);
  const others = [markup.source, ...markup.languages.keys()].filter((other) => other !== lang);
  const languages = others.map(
    (other) => [other, { terms: matchTexts(html, markupIn(markup, other)).texts, gone: {} }] as const,
  );
  return { source: lang, html, slots: splitMarkup(html), languages: new Map(languages) };
}

function newMarkup(given: ReadonlyMap<string, unknown>, fallback: string): Markup | null {
  const texts = [...given].flatMap(([lang, text]): [string, string][] =>
    typeof text === 'string' && lang !== 'source' ? [[lang, text]] : [],
  );
  const [source, html] = texts.find(([lang]) => lang === fallback) ?? texts[0] ?? [];
  if (source === undefined || html === undefined) return null;
  return { source, html, slots: splitMarkup(html), languages: new Map() };
}

function withSource(before: Markup, html: unknown): Markup {
  if (typeof html !== 'string' || html === before.html) return before;
  const slots = splitMarkup(html);
  const became = followSlots(before.slots, slots);
  const languages = [...before.languages].map(
    ([lang, terms]) => [lang, followTerms(terms, before.slots, slots, became)] as const,
  );
  return { ...before, html, slots, languages: new Map(languages) };
}

function termsIn({ slots, languages }: Markup, lang: string): LanguageTerms {
  return languages.get(lang) ?? { terms: slots.map(() => null), gone: {} };
}

function withTranslation(markup: Markup, lang: string, html: string, { strict }: Cleaning): LanguageTerms {
  const { texts, left } = matchTexts(markup.html, html);
  if (strict && left.length > 0)
    throw new FieldProblem(
      'The text in {lang} has parts that the one in {source} does not have. Add them in {source}, then translate them.',
      { lang, source: markup.source },
    );
  const { terms, gone } = termsIn(markup, lang);
  return {
    gone,
    terms: texts.map((text, index): Term => {
      const term = terms[index] ?? null;
      return textOfTerm(term) === (text ?? markup.slots[index]?.text) ? term : text;
    }),
  };
}

function withTerms(markup: Markup, lang: string, changed: readonly TermChange[], cleaning: Cleaning): LanguageTerms {
  const { slots } = markup;
  const { terms, gone } = termsIn(markup, lang);
  const [now, remembered] = [[...terms], { ...gone }];
  for (const { at, source, text } of changed) {
    const index = slots[at]?.text === source ? at : slots.findIndex((slot) => slot.text === source);
    const slot = slots[index];
    if (slot) now[index] = text === null ? null : cleaned(slot, text, cleaning.profile);
    else if (text !== null) {
      // The source was changed meanwhile: the work is to be gone over, or is kept for when the text comes back.
      const place = changedSlot(slots, now, source);
      const own = cleaned({ kind: slots[place]?.kind ?? 'text' }, text, cleaning.profile);
      if (place < 0) remembered[source] = own;
      else now[place] = [own, source];
    }
  }
  return { terms: now, gone: remembered };
}

/** @throws FieldProblem for what would be more than a text in its place. */
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

function written(markup: Markup, fallback: string, { finish }: Cleaning): Readonly<Record<string, string>> | null {
  const { source, html, languages } = markup;
  const texts: Record<string, string> = { [source]: html };
  const of: Record<string, LanguageTerms> = {};
  for (const [lang, own] of languages) {
    const isOwn = own.terms.some((term) => term !== null);
    const shown = isOwn ? finish(markupIn(markup, lang)) : null;
    if (shown !== null) texts[lang] = shown;
    const isSaid = shown === null || isDeepStrictEqual(matchTexts(html, shown).texts, own.terms);
    if (!isSaid || Object.keys(own.gone).length > 0) of[lang] = own;
  }
  texts[fallback] ??= html;
  const sorted = Object.fromEntries(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
  if (source === fallback && Object.keys(of).length === 0) return sorted;
  return { ...sorted, _terms: { source, of } } as unknown as Readonly<Record<string, string>>;
}
