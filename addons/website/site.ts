import { publicMethod } from '@pergola/web';
import { z } from 'pergola';
import { contactBlock, contactStamp } from './blocks/contact-form.ts';
import { CountryNames, footerBlock } from './blocks/footer.ts';
import { headBlock, visitorPaths } from './blocks/head.ts';
import { languagesBlock, menuBlock } from './blocks/menu.ts';
import type { Contents } from './contents.ts';
import { contactMail } from './mails.ts';
import { WebsiteOwner } from './models/res-company.ts';
import { WebsiteLanguage } from './models/res-lang.ts';
import { Website } from './models/website.ts';
import { savedMenu, WebsiteMenu } from './models/website-menu.ts';
import { WebsitePage } from './models/website-page.ts';
import { WebsiteRedirect } from './models/website-redirect.ts';
import { accessibilityPage } from './routes/accessibility.ts';
import { contactPage, contactSent, sendContact } from './routes/contact.ts';
import { chooseLanguage } from './routes/lang.ts';
import { multiRender } from './routes/multi-render.ts';
import { addPage, home, oldPage, pageFallback } from './routes/pages.ts';
import { publish } from './routes/publish.ts';
import { favicon, manifest, robots, sitemap, sitemapPart, touchIcon } from './routes/seo.ts';
import { speculation } from './routes/speculation.ts';
import { translations } from './routes/translations.ts';
import { groups, lists, rules } from './security.ts';
import { websiteAttribute } from './services/current-website.ts';
import { Navigation, visitorMenus } from './services/navigation.ts';
import { openingHours } from './services/opening-hours.ts';
import { menus, views } from './views.ts';
import { firstSteps } from './widgets.ts';

const id = z.number().int().positive();
const place = z.enum(['main', 'footer']).optional();

/** Sites, pages, languages, menus and SEO. */
export const site: Contents = {
  models: [Website, WebsitePage, WebsiteMenu, WebsiteRedirect, WebsiteLanguage, WebsiteOwner],
  routes: [
    oldPage,
    addPage,
    chooseLanguage,
    publish,
    translations,
    speculation,
    multiRender,
    sitemap,
    sitemapPart,
    robots,
    favicon,
    touchIcon,
    manifest,
    contactPage,
    sendContact,
    contactSent,
    accessibilityPage,
  ],
  services: [openingHours, Navigation, visitorMenus, visitorPaths, CountryNames],
  routeExtensions: [home],
  fallbacks: [pageFallback],
  requestAttributes: [websiteAttribute],
  blocks: [headBlock, menuBlock, languagesBlock, footerBlock, contactBlock],
  fragments: [contactStamp],
  mails: [contactMail],
  groups,
  access: lists,
  rules,
  views,
  firstSteps,
  menus,
  behaviours: {
    'website.language-link': 'a.js_change_lang',
    'website.picture-ahead': 'a[data-picture-ahead]',
  },
  publicMethods: [
    publicMethod(WebsiteMenu, 'get_tree', {
      right: 'read',
      writes: false,
      onRecords: false,
      args: z.tuple([id, place]),
    }),
    publicMethod(WebsiteMenu, 'save', {
      right: 'write',
      writes: true,
      onRecords: false,
      args: z.tuple([id, savedMenu, place]),
    }),
    publicMethod(WebsitePage, 'setHomepage', { right: 'write', writes: true, args: z.tuple([z.boolean()]) }),
    publicMethod(Website, 'search_pages', {
      right: 'read',
      writes: false,
      args: z.tuple([z.string().max(100), z.number().int().min(1).max(100)]),
    }),
    publicMethod(Website, 'edit_look', { right: 'write', writes: false }),
    publicMethod(Website, 'page_exists', { right: 'read', writes: false, args: z.tuple([z.string().max(255)]) }),
  ],
};
