import { NotFound, route, z } from 'pergola';
import { editorGroups } from '../../editor/rights.ts';
import { SavedBlock } from './saved-block.ts';

/** Page for editing a saved block. */
export const savedPage = route.page(
  '/website/saved-block/:block',
  {
    name: 'website.saved_block',
    auth: 'user',
    groups: editorGroups,
    params: { block: z.coerce.number().int().positive() },
  },
  async ({ ctx, params: { block }, render }) => {
    const saved = await ctx.model(SavedBlock).first([['id', '=', block]], { select: { name: true, content: true } });
    if (!saved) throw new NotFound('This block doesn’t exist.', { code: 'website.no_saved_block' });
    return render('website.saved_page', { saved });
  },
);
