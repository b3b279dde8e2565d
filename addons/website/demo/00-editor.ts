import { data, ref } from 'pergola';
import { User } from '#addons/base';

/** The demo account `editor` edits pages, sites and menus. */
export default data(User, {
  'base.demo_editor': {
    group_ids: [ref('base.group_user'), ref('website.group_website_publisher'), ref('website.group_website_designer')],
  },
});
