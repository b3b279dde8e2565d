import type { Ctx } from 'pergola';
import {
  fillSlots,
  type LanguageTerms,
  type Markup,
  type Slot,
  type Term,
  type TermChange,
  textOfTerm,
} from 'pergola/orm';

/** Text with its translation. */
export interface TranslatedText {
  readonly source: string;
  /** Null, the translation, or a pair of translation and previous source if outdated. */
  readonly term: Term;
  /** Whether the text needs no translation. */
  readonly optional: boolean;
}

/** Text of markup with its translation. */
export interface OpenTerm extends TranslatedText {
  readonly kind: Slot['kind'];
  /** Name of the attribute or option. */
  readonly name: string;
}

/** Translation progress: number of translatable, missing and outdated texts. */
export interface Standing {
  readonly all: number;
  readonly missing: number;
  readonly outdated: number;
}

/** Markup whose texts are translated while its structure is fixed. */
export interface MarkupTranslation {
  /** Language that provides the structure. */
  readonly source: string;
  /**
   * Markup in the other language: each text is wrapped in `<span data-ed-term="3">`; elements with translatable attributes have
   * `data-ed-words="4 5"`. The numbers are indexes of `terms`.
   */
  readonly html: string;
  readonly terms: readonly OpenTerm[];
}

/** Edited translation, and the translation it was based on. */
export interface TermEdit extends TermChange {
  readonly before: Term;
}

/** Texts to translate if the markup has the structure of another language of this site; otherwise null. */
export function translationIn(ctx: Ctx, markup: Markup | null): MarkupTranslation | null {
  if (!markup || !isTranslated(ctx, markup)) return null;
  const { terms } = termsOf(markup, ctx.lang);
  return { source: markup.source, html: marked(markup, terms), terms: openTerms(markup, ctx.lang) };
}

/** Texts of markup with their translation into a language, in document order; empty for the source language. */
export function openTerms(markup: Markup, lang: string): OpenTerm[] {
  if (markup.source === lang) return [];
  const { terms } = termsOf(markup, lang);
  return markup.slots.map(({ kind, name, text, optional }, index) => ({
    kind,
    name,
    source: text,
    term: terms[index] ?? null,
    optional,
  }));
}

/**
 * Returns whether only the texts of the markup can be changed in the context's language. If the site lacks the source language, the
 * structure can be edited.
 */
export function isTranslated(ctx: Ctx, { source }: Markup): boolean {
  return source !== ctx.lang && (ctx.attributes.website?.languages ?? []).some(({ code }) => code === source);
}

function termsOf({ languages, slots }: Markup, lang: string): LanguageTerms {
  return languages.get(lang) ?? { terms: slots.map(() => null), gone: {} };
}

export function standing(texts: readonly TranslatedText[]): Standing {
  return {
    all: texts.filter(({ term, optional }) => !optional || term !== null).length,
    missing: texts.filter(({ term, optional }) => !optional && term === null).length,
    outdated: texts.filter(({ term }) => typeof term === 'object' && term !== null).length,
  };
}

/**
 * Edits whose translation another user changed meanwhile, with that translation. A changed source doesn't cause a conflict: the translation is saved
 * as outdated.
 */
export function termConflicts(
  markup: Markup,
  lang: string,
  edits: readonly TermEdit[],
): { readonly edit: TermEdit; readonly theirs: string | null }[] {
  const { terms } = termsOf(markup, lang);
  return edits.flatMap((edit) => {
    const { at: position, source, before: previous, text } = edit;
    const index =
      markup.slots[position]?.text === source ? position : markup.slots.findIndex((slot) => slot.text === source);
    const current = textOfTerm(terms[index] ?? null);
    return index < 0 || current === text || current === textOfTerm(previous) ? [] : [{ edit, theirs: current }];
  });
}

/** Markup with its texts marked for the editor. */
function marked({ html, slots }: Markup, terms: readonly Term[]): string {
  const words = Map.groupBy(
    slots.flatMap((slot, index) => (slot.kind === 'text' ? [] : [{ slot, at: index }])),
    ({ slot }) => slot.at,
  );
  const texts = slots.map((slot, index) => {
    const text = textOfTerm(terms[index] ?? null);
    return slot.kind === 'text' ? `<span data-ed-term="${index}">${text ?? slot.text}</span>` : text;
  });
  // Zero-length slots after the tag names, which insert without replacing.
  const tags = [...words].map(([offset, attributes]): [Slot, string] => {
    const start = offset + (/^<[^\s/>]+/.exec(html.slice(offset))?.[0].length ?? 0);
    const slot: Slot = { kind: 'text', name: '', text: '', optional: true, start, end: start, at: offset };
    return [slot, ` data-ed-words="${attributes.map((attribute) => attribute.at).join(' ')}"`];
  });
  const all = [...slots.map((slot, index): [Slot, string | null] => [slot, texts[index] ?? null]), ...tags].sort(
    ([a], [b]) => a.start - b.start,
  );
  return fillSlots(
    html,
    all.map(([slot]) => slot),
    all.map(([, text]) => text),
  );
}
