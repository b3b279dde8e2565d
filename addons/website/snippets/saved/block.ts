import { block, z } from 'pergola';
import { SavedBlock } from './saved-block.ts';

/** Shared block with its current content. */
export const sharedBlock = block('website.saved', {
  label: 'Shared block',
  options: z.object({
    block: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ title: 'Block', records: 'website.saved_block', where: [['is_shared', '=', true]], none: 'None' }),
  }),
  template: 'website.saved',
  load: async (ctx, { block: id }) => {
    const shared = [
      ['id', '=', id],
      ['is_shared', '=', true],
    ] as const;
    return { saved: await ctx.model(SavedBlock).first(shared, { select: { content: true } }) };
  },
});
