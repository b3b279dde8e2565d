import { f, mixin } from 'pergola';

/** Records of one website, or of all if `website_id` is empty. Pages filter them with `onWebsite(ctx)` in their domain. */
export const MultiWebsite = mixin('website.multi', {
  website_id: f.many2one('website', {
    empty: 'all',
    ondelete: 'restrict',
    index: true,
    label: 'Website',
    help: 'Leave empty for all websites',
  }),
});
