import { type Ctx, type Id, sanitizeHtml } from 'pergola';
import type { RenderFragment } from 'pergola/http';
import { type AnyModel, type Markup, matchTexts, readMarkup, type Slot, splitMarkup } from 'pergola/orm';
import { snippets } from '../snippets/point.ts';
import { SavedBlock } from '../snippets/saved/saved-block.ts';
import { openTerms } from './translation.ts';
import { uncheckedValues } from './values.ts';

/** Markup field of a record. */
interface Place {
  readonly model: AnyModel;
  readonly id: Id;
  readonly field: string;
}

/** Texts in one language with their translation in another. */
type KnownTexts = readonly (readonly [text: Pick<Slot, 'kind' | 'name' | 'text'>, theirs: string])[];

/**
 * Fills in known translations for newly inserted blocks in all languages of the site, taken from snippet templates, saved blocks, and the
 * page that a saved block comes from (`origin`). Skips texts already in `before`, so that removed translations stay removed.
 */
export async function keepKnownTexts(
  ctx: Ctx,
  render: RenderFragment,
  { model, id, field }: Place,
  { before: previous = null, origin = null }: { readonly before?: Markup | null; readonly origin?: Markup | null } = {},
): Promise<void> {
  const markup = await readMarkup(model, id, field);
  if (!markup || markup.source !== ctx.lang) return;
  const previousKeys = new Set(previous?.slots.map(keyOf));
  const added = markup.slots.filter((slot) => !slot.optional && !previousKeys.has(keyOf(slot)));
  if (added.length === 0) return;
  const otherLanguages = (ctx.attributes.website?.languages ?? []).filter(({ code }) => code !== markup.source);
  if (otherLanguages.length === 0) return;
  const shipped = shippedTexts(ctx, render, markup);
  const saved = await savedBlocks(ctx, added);
  const values: Record<string, object> = {};
  for (const { code } of otherLanguages) {
    // Later entries win: translations by editors take precedence over templates.
    const translations = new Map(
      [
        ...(await shipped(code)),
        ...saved.flatMap((block) => textsBetween(block, markup.source, code)),
        ...(origin ? textsBetween(origin, markup.source, code) : []),
      ].map(([text, translation]) => [keyOf(text), translation]),
    );
    const terms = openTerms(markup, code).flatMap(({ kind, name, source, term }, index) => {
      const key = keyOf({ kind, name, text: source });
      const text = translations.get(key);
      return text === undefined || term !== null || previousKeys.has(key) ? [] : [{ at: index, source, text }];
    });
    if (terms.length > 0) values[code] = { terms };
  }
  if (Object.keys(values).length > 0) await model.write(id, uncheckedValues({ [field]: values }));
}

function shippedTexts(
  ctx: Ctx,
  render: RenderFragment,
  { html, source }: Markup,
): (lang: string) => Promise<KnownTexts> {
  const templates = ctx
    .get(snippets)
    .flatMap(({ id, template }) => (template && html.includes(`data-name="${id}"`) ? [template] : []));
  const rendered = (lang: string): Promise<string[]> =>
    Promise.all(templates.map(async (template) => sanitizeHtml(await render(template, {}, { lang }))));
  const sources = rendered(source);
  return async (lang) => {
    const translated = await rendered(lang);
    return (await sources).flatMap((from, templateIndex) => {
      const { texts } = matchTexts(from, translated[templateIndex] ?? '');
      // In a translated template, texts that are the same in both languages are so on purpose.
      const isTranslated = texts.some((text) => text !== null);
      return splitMarkup(from).flatMap((slot, index) => {
        const text = texts[index] ?? (isTranslated ? slot.text : null);
        // Links in a template are already in the language it is rendered in.
        return text !== null && !slot.optional ? [[slot, text] as const] : [];
      });
    });
  };
}

/** Saved blocks that may contain one of the texts, matched by its longest word, which doesn't depend on formatting. */
async function savedBlocks(ctx: Ctx, texts: readonly Slot[]): Promise<Markup[]> {
  const blocks = ctx.model(SavedBlock);
  const words = texts.map(({ text }) => longestWord(text));
  const all = await blocks.find([], { select: { content: true } });
  const matches = all.filter(({ content }) => words.some((word) => content.includes(word)));
  const markups = await Promise.all(matches.map(({ id }) => readMarkup(blocks, id, 'content')));
  return markups.filter((markup) => markup !== null);
}

function longestWord(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
    (longest, word) => (word.length > longest.length ? word : longest),
    '',
  );
}

/** Current translations only; an outdated one would become a current one. */
function textsBetween({ source, slots, languages }: Markup, from: string, to: string): KnownTexts {
  const textIn = (lang: string, { text }: Slot, index: number): string | null => {
    const term = lang === source ? text : languages.get(lang)?.terms[index];
    return typeof term === 'string' ? term : null;
  };
  return slots.flatMap((slot, index) => {
    const [text, translation] = [textIn(from, slot, index), textIn(to, slot, index)];
    return text === null || translation === null ? [] : [[{ ...slot, text }, translation] as const];
  });
}

/** Ignores line breaks, which differ between templates. */
function keyOf({ kind, name, text }: Pick<Slot, 'kind' | 'name' | 'text'>): string {
  return `${kind} ${name} ${text.replace(/\s+/g, ' ')}`;
}
