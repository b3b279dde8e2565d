import type { Ctx, Id } from '#core';
import { readMarkup } from '#core/orm';
import { standing } from './translation.ts';

/** A language of the site in which a page is not told whole. */
export interface Untranslated {
  /** `fr_FR` */
  readonly lang: string;
  readonly name: string;
  readonly missing: number;
  readonly outdated: number;
}

/** The languages of the site that lack texts of a page; none of a page the caller may not read. */
export async function untranslated(ctx: Ctx, page: Id): Promise<Untranslated[]> {
  const pages = ctx.model('website.page');
  const [readable] = await pages.allowed([page], 'read');
  const markup = readable === undefined ? null : await readMarkup(pages, readable, 'content');
  return (ctx.attributes.website?.languages ?? []).flatMap(({ code, name }) => {
    const { missing, outdated } =
      markup && code !== markup.source ? standing(markup, code) : { missing: 0, outdated: 0 };
    return missing + outdated > 0 ? [{ lang: code, name, missing, outdated }] : [];
  });
}
