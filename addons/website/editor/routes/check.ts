import { NotAllowed, route, z } from 'pergola';
import { WebsitePage } from '../../models/website-page.ts';
import { faultRules } from '../checks.ts';
import { editorGroups } from '../rights.ts';
import { untranslated } from '../untranslated.ts';
import { revisionOf } from '../values.ts';

const forEditors = { auth: 'user', groups: editorGroups } as const;
const id = z.number().int().positive();

/** Missing and outdated translations of a page by language. */
export const checkLanguages = route.rpc(
  '/website/editor/check',
  { ...forEditors, name: 'website.editor_check', input: z.object({ id }) },
  ({ ctx, input }) => untranslated(ctx, input.id),
);

/** Stores the result of a page check, from which the accessibility statement is generated. */
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
      throw new NotAllowed('You don’t have permission to edit this page.', { code: 'website.not_your_page' });
    const { content } = await pages.get(input.id, { select: { content: true } });
    // Users can't write these fields directly.
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
