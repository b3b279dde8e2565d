import { type Ctx, type Id, NotAllowed, route, z } from '#core';
import { WebsitePage } from '../../models/website-page.ts';
import { faultRules } from '../checks.ts';
import { editorGroups } from '../rights.ts';
import { revisionOf } from '../values.ts';

const forEditors = { auth: 'user', groups: editorGroups } as const;
const id = z.number().int().positive();

/** The languages in which a page says word for word what it says in the site's first one. */
export const checkLanguages = route.rpc(
  '/website/editor/check',
  { ...forEditors, name: 'website.editor_check', input: z.object({ id }) },
  async ({ ctx, input }) => {
    const { languages = [], defaultLang = ctx.lang } = ctx.attributes.website ?? {};
    const source = await contentIn(ctx, defaultLang, input.id);
    const missing: string[] = [];
    for (const { code, name } of languages) {
      if (code !== defaultLang && source && (await contentIn(ctx, code, input.id)) === source) missing.push(name);
    }
    return { untranslated: missing };
  },
);

/** Keeps what a check of a page found; the accessibility statement is made from it. */
export const keepCheck = route.rpc(
  '/website/editor/check/keep',
  {
    ...forEditors,
    name: 'website.editor_check_keep',
    writes: true,
    input: z.object({
      id,
      faults: z.array(z.object({ rule: z.enum(faultRules), count: z.number().int().min(1).max(10_000) })).max(20),
    }),
  },
  async ({ ctx, input }) => {
    const pages = ctx.model(WebsitePage);
    const [writable] = await pages.allowed([input.id], 'write');
    if (writable === undefined)
      throw new NotAllowed('You may not change this page.', { code: 'website.not_your_page' });
    const { content } = await pages.get(input.id, { select: { content: true } });
    // Its fields are nobody's to write but this route's.
    await ctx
      .sudo()
      .model(WebsitePage)
      .write(input.id, {
        check_date: ctx.now(),
        check_faults: input.faults,
        check_revision: revisionOf(content),
      });
    return true;
  },
);

async function contentIn(ctx: Ctx, lang: string, page: Id): Promise<string | null> {
  const [row] = await ctx
    .as({ lang })
    .model(WebsitePage)
    .read([page], { select: { content: true } });
  return row?.content ?? null;
}
