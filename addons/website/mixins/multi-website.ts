import { f, mixin } from 'pergola';

/** Records that belong to one website, or to all when `website_id` is empty. Pages list them with `onWebsite(ctx)` in their domain. */
export const MultiWebsite = mixin('website.multi', {
  website_id: f.many2one('website', {
    empty: 'all',
    ondelete: 'restrict',
    index: true,
    label: 'Website',
    help: 'Empty: on all websites',
  }),
});
