import { User } from '@pergola/base';
import { data, ref } from 'pergola';

/** The demo account `editor` edits pages, sites and menus. */
export default data(User, {
  'base.demo_editor': {
    group_ids: [ref('base.group_user'), ref('website.group_website_publisher'), ref('website.group_website_designer')],
  },
});
