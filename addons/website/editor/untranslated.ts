import { DomUtils, parseDocument } from 'htmlparser2';
import type { Ctx, Id } from '#core';
import { type Markup, readMarkup } from '#core/orm';
import { SavedBlock } from '../snippets/saved/saved-block.ts';
import { standing } from './translation.ts';

/** A language of the site in which a page is not told whole. */
export interface Untranslated {
  /** `fr_FR` */
  readonly lang: string;
  readonly name: string;
  readonly missing: number;
  readonly outdated: number;
}

/** The languages of the site that lack texts of a page, or of shared blocks on it; none of a page the caller may not read. */
export async function untranslated(ctx: Ctx, page: Id): Promise<Untranslated[]> {
  const pages = ctx.model('website.page');
  const [readable] = await pages.allowed([page], 'read');
  const own = readable === undefined ? null : await readMarkup(pages, readable, 'content');
  if (!own) return [];
  const blocks = ctx.model(SavedBlock);
  const shared = await Promise.all(sharedBlocks(own.html).map((id) => readMarkup(blocks, id, 'content')));
  const markups = [own, ...shared].filter((markup): markup is Markup => markup !== null);
  return (ctx.attributes.website?.languages ?? []).flatMap(({ code, name }) => {
    const all = markups.filter(({ source }) => source !== code).map((markup) => standing(markup, code));
    const missing = all.reduce((sum, one) => sum + one.missing, 0);
    const outdated = all.reduce((sum, one) => sum + one.outdated, 0);
    return missing + outdated > 0 ? [{ lang: code, name, missing, outdated }] : [];
  });
}

/** The shared blocks that stand on a page. */
function sharedBlocks(html: string): Id[] {
  const places = DomUtils.findAll(
    ({ attribs }) => attribs['data-block'] === 'website.saved',
    parseDocument(html).children,
  );
  return [
    ...new Set(places.map(({ attribs }) => Number(/"block":\s*(\d+)/.exec(attribs['data-options'] ?? '')?.[1] ?? 0))),
  ];
}
