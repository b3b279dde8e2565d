import { block, z } from 'pergola';

/** Share links for the current page, which work without JavaScript. */
export const shareBlock = block('website.share', {
  label: 'Share',
  options: z.object({ heading: z.boolean().default(true).meta({ title: 'Show heading' }) }),
  template: 'website.share',
  load: async (_ctx, { heading }, request) => ({
    heading,
    address: new URL(request.url.replace(/\?.*$/s, ''), request.origin).href,
  }),
});
