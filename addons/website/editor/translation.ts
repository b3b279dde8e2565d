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

/** A text as it is translated. */
export interface TranslatedText {
  readonly source: string;
  /** Nothing, the translation, or the translation with what it was made from when the source says something else by now. */
  readonly term: Term;
  /** Nobody misses a translation. */
  readonly optional: boolean;
}

/** A text of markup as it is translated. */
export interface OpenTerm extends TranslatedText {
  readonly kind: Slot['kind'];
  /** Of an attribute or an option its name. */
  readonly name: string;
}

/** How far texts are translated: how many want it, how many lack it, how many are of a source that says something else by now. */
export interface Standing {
  readonly all: number;
  readonly missing: number;
  readonly outdated: number;
}

/** Markup whose texts are translated, in the place of being edited. */
export interface MarkupTranslation {
  /** The language whose structure it has. */
  readonly source: string;
  /**
   * The markup in the other language: each text within `<span data-ed-term="3">`, elements that have words in attributes with
   * `data-ed-words="4 5"`, by the number of the term.
   */
  readonly html: string;
  readonly terms: readonly OpenTerm[];
}

/** A text that somebody translated, and what stood there when they began. */
export interface TermEdit extends TermChange {
  readonly before: Term;
}

/** What there is to translate, for whoever edits a language that has the structure of another one of this site; null else. */
export function translationIn(ctx: Ctx, markup: Markup | null): MarkupTranslation | null {
  if (!markup || !isTranslated(ctx, markup)) return null;
  const { terms } = termsOf(markup, ctx.lang);
  return { source: markup.source, html: marked(markup, terms), terms: openTerms(markup, ctx.lang) };
}

/** The texts of markup in a language, in its order; none in that of its structure. */
export function openTerms(markup: Markup, lang: string): OpenTerm[] {
  if (markup.source === lang) return [];
  const { terms } = termsOf(markup, lang);
  return markup.slots.map(({ kind, name, text, optional }, at) => ({
    kind,
    name,
    source: text,
    term: terms[at] ?? null,
    optional,
  }));
}

/** Whether the context's language has only texts of this markup. A site without its language keeps the structure in its own. */
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

/** The edits whose text somebody else translated otherwise meanwhile, with theirs. That the source changed is no conflict: the text stays, as outdated. */
export function termConflicts(
  markup: Markup,
  lang: string,
  edits: readonly TermEdit[],
): { readonly edit: TermEdit; readonly theirs: string | null }[] {
  const { terms } = termsOf(markup, lang);
  return edits.flatMap((edit) => {
    const { at, source, before, text } = edit;
    const index = markup.slots[at]?.text === source ? at : markup.slots.findIndex((slot) => slot.text === source);
    const theirs = textOfTerm(terms[index] ?? null);
    return index < 0 || theirs === text || theirs === textOfTerm(before) ? [] : [{ edit, theirs }];
  });
}

/** The markup with its texts marked, so that the editor finds them. */
function marked({ html, slots }: Markup, terms: readonly Term[]): string {
  const words = Map.groupBy(
    slots.flatMap((slot, at) => (slot.kind === 'text' ? [] : [{ slot, at }])),
    ({ slot }) => slot.at,
  );
  const texts = slots.map((slot, at) => {
    const text = textOfTerm(terms[at] ?? null);
    return slot.kind === 'text' ? `<span data-ed-term="${at}">${text ?? slot.text}</span>` : text;
  });
  // Where tags begin, as slots without a length: what stands there before is not taken away.
  const tags = [...words].map(([at, own]): [Slot, string] => {
    const start = at + (/^<[^\s/>]+/.exec(html.slice(at))?.[0].length ?? 0);
    const slot: Slot = { kind: 'text', name: '', text: '', optional: true, start, end: start, at };
    return [slot, ` data-ed-words="${own.map((one) => one.at).join(' ')}"`];
  });
  const all = [...slots.map((slot, at): [Slot, string | null] => [slot, texts[at] ?? null]), ...tags].sort(
    ([one], [other]) => one.start - other.start,
  );
  return fillSlots(
    html,
    all.map(([slot]) => slot),
    all.map(([, text]) => text),
  );
}
