import { type Ctx, type Id, sanitizeHtml } from '#core';
import type { RenderFragment } from '#core/http';
import { type AnyModel, type Markup, matchTexts, readMarkup, splitMarkup } from '#core/orm';
import { snippets } from '../snippets/point.ts';
import { openTerms } from './translation.ts';
import { uncheckedValues } from './values.ts';

/** A field of a record that holds markup. */
interface Place {
  readonly model: AnyModel;
  readonly id: Id;
  readonly field: string;
}

/**
 * Shipped blocks come with their texts in all languages of the site: those that markup has got since `before` are kept as its translations. Of what was
 * there already nothing changes, so that a translation that somebody took away stays away.
 */
export async function keepShippedTexts(
  ctx: Ctx,
  render: RenderFragment,
  { model, id, field }: Place,
  before: Markup | null = null,
): Promise<void> {
  const markup = await readMarkup(model, id, field);
  if (!markup || markup.source !== ctx.lang) return;
  const known = new Set(before?.slots.map(({ text }) => text));
  const isNew = markup.slots.some(({ text, optional }) => !optional && !known.has(text));
  const templates = ctx
    .get(snippets)
    .flatMap(({ id: name, template }) => (template && markup.html.includes(`data-name="${name}"`) ? [template] : []));
  if (!isNew || templates.length === 0) return;
  const shipped = (lang: string): Promise<string[]> =>
    Promise.all(templates.map(async (template) => sanitizeHtml(await render(template, {}, { lang }))));
  const sources = await shipped(markup.source);
  const values: Record<string, object> = {};
  for (const { code } of ctx.attributes.website?.languages ?? []) {
    if (code === markup.source) continue;
    const texts = new Map<string, string>();
    for (const [at, to] of (await shipped(code)).entries()) {
      const from = sources[at] ?? '';
      const { texts: theirs } = matchTexts(from, to);
      for (const [index, { text }] of splitMarkup(from).entries()) {
        const own = theirs[index];
        if (own) texts.set(inOneLine(text), own);
      }
    }
    const terms = openTerms(markup, code).flatMap(({ source, term, optional }, at) => {
      const text = texts.get(inOneLine(source));
      return text === undefined || term !== null || optional || known.has(source) ? [] : [{ at, source, text }];
    });
    if (terms.length > 0) values[code] = { terms };
  }
  if (Object.keys(values).length > 0) await model.write(id, uncheckedValues({ [field]: values }));
}

/** Templates break their lines where they like. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
