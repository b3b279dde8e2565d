import { firstStep } from '@pergola/web';
import { Website } from './models/website.ts';
import { WebsitePage } from './models/website-page.ts';

const designer = ['website.group_website_designer'];

export const firstSteps = [
  firstStep('website.step_logo', {
    label: 'Add your website’s name and logo',
    url: '/web/m/website?menu=website.menu_websites',
    groups: designer,
    done: async (ctx) => (await ctx.model(Website).count([['logo', '!=', null]], { most: 1 })) > 0,
  }),
  firstStep('website.step_page', {
    label: 'Customise your home page',
    url: '/web/m/website.page?menu=website.menu_pages',
    groups: designer,
    // Pages installed with addons have no author.
    done: async (ctx) => (await ctx.model(WebsitePage).count([['write_uid', '!=', null]], { most: 1 })) > 0,
  }),
];
