import { access, group, rule } from 'pergola';
import { onWebsite } from './mixins/published.ts';
import { Website } from './models/website.ts';
import { WebsiteMenu } from './models/website-menu.ts';
import { visibleNow, WebsitePage } from './models/website-page.ts';
import { WebsiteRedirect } from './models/website-redirect.ts';

export const groups = [
  group('website.group_website_publisher', {
    label: 'Page editor',
    category: 'Website',
    implies: ['base.group_user'],
  }),
  group('website.group_website_designer', {
    label: 'Site editor',
    category: 'Website',
    implies: ['website.group_website_publisher'],
    impliedBy: ['base.group_system'],
  }),
];

export const lists = [
  access(Website, { '*': 'r', 'website.group_website_designer': 'rwcd' }),
  access(WebsiteMenu, { '*': 'r', 'website.group_website_designer': 'rwcd' }),
  access(WebsitePage, { '*': 'r', 'website.group_website_publisher': 'rwcd' }),
  access(WebsiteRedirect, { 'website.group_website_publisher': 'r', 'website.group_website_designer': 'rwcd' }),
];

export const rules = [
  rule('website.visible_pages', WebsitePage, {
    groups: ['base.group_public', 'base.group_portal', 'base.group_user'],
    operations: 'r',
    domain: (ctx) => [...visibleNow(ctx), ...onWebsite(ctx)],
  }),
  rule('website.all_pages', WebsitePage, { groups: ['website.group_website_publisher'], domain: () => [] }),
];
