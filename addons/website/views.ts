import { Language } from '@pergola/base';
import { menu, view } from '@pergola/web';
import { Website } from './models/website.ts';
import { WebsiteMenu } from './models/website-menu.ts';
import { WebsitePage } from './models/website-page.ts';
import { WebsiteRedirect } from './models/website-redirect.ts';

export const views = [
  view.list(Website, { columns: ['name', 'domain', 'default_lang_id', 'company_id', 'indexed'] }),
  view.form(Website, {
    title: 'name',
    image: 'logo',
    buttons: [{ method: 'edit_look', label: 'Edit appearance', groups: ['website.group_website_designer'] }],
    sections: [
      {
        items: [
          'name',
          'domain',
          'company_id',
          'homepage_id',
          'timezone',
          'sequence',
          { field: 'opening_hours', wide: true },
        ],
      },
      { label: 'Languages', items: ['language_ids', 'default_lang_id'] },
    ],
    tabs: [
      {
        label: 'Social accounts',
        sections: [
          {
            items: [
              'social_twitter',
              'social_facebook',
              'social_linkedin',
              'social_instagram',
              'social_youtube',
              'social_github',
            ],
          },
        ],
      },
      {
        label: 'SEO',
        sections: [{ items: ['indexed', 'logo_dark', 'favicon', 'favicon_dark', 'og_image'] }],
      },
    ],
  }),
  view.form(Language, {
    adds: true,
    counts: [
      { label: 'Websites', icon: 'globe', model: 'website', by: 'language_ids' },
      { label: 'Default language of websites', icon: 'house', model: 'website', by: 'default_lang_id' },
    ],
  }),
  view.list(WebsitePage, {
    columns: [
      'name',
      'url',
      'website_id',
      'shadowed_on',
      'website_published',
      'date_publish',
      'is_visible',
      { field: 'write_date', optional: true },
    ],
  }),
  view.form(WebsitePage, {
    title: 'name',
    sections: [
      {
        items: [
          'url',
          'website_id',
          'website_published',
          'date_publish',
          'publish_anyway',
          'website_url',
          'is_visible',
          'addon',
        ],
      },
      {
        label: 'SEO',
        items: [
          'website_indexed',
          'website_meta_title',
          'website_meta_description',
          'website_meta_keywords',
          'website_meta_og_img',
        ],
      },
    ],
    tabs: [
      {
        label: 'Menu',
        sections: [{ items: [{ field: 'menu_ids', columns: ['name', 'parent_id', 'sequence'], wide: true }] }],
      },
      { label: 'Content', sections: [{ items: [{ field: 'content', wide: true }] }] },
    ],
  }),
  view.search(WebsitePage, {
    fields: ['name', 'url'],
    filters: [
      { id: 'published', label: 'Published', domain: [['website_published', '=', true]] },
      { id: 'drafts', label: 'Drafts', domain: [['website_published', '=', false]] },
    ],
    groups: [{ id: 'website', label: 'Website', by: 'website_id' }],
  }),
  view.list(WebsiteMenu, {
    columns: ['name', 'url', 'parent_id', 'place', 'website_id', 'sequence'],
    order: 'sequence, id',
  }),
  view.form(WebsiteMenu, {
    title: 'name',
    sections: [
      {
        items: [
          'url',
          'page_id',
          { field: 'panel_id', when: [['parent_id', '!=', null]] },
          'parent_id',
          'website_id',
          'sequence',
          'new_window',
          { field: 'place', when: [['parent_id', '=', null]] },
        ],
      },
    ],
  }),
  view.list(WebsiteRedirect, { columns: ['url_from', 'url_to', 'type', 'website_id'], editable: true }),
];

export const menus = [
  menu('website.menu_root', {
    label: 'Website',
    icon: 'globe',
    groups: ['website.group_website_publisher'],
  }),
  menu('website.menu_go', { label: 'View website', parent: 'website.menu_root', url: '/' }),
  menu('website.menu_pages', {
    label: 'Pages',
    parent: 'website.menu_root',
    model: WebsitePage,
    after: 'website.menu_go',
  }),
  menu('website.menu_menus', {
    label: 'Menus',
    parent: 'website.menu_root',
    model: WebsiteMenu,
    groups: ['website.group_website_designer'],
    after: 'website.menu_pages',
  }),
  menu('website.menu_redirects', {
    label: 'Redirects',
    parent: 'website.menu_root',
    model: WebsiteRedirect,
    groups: ['website.group_website_designer'],
    after: 'website.menu_menus',
  }),
  menu('website.menu_site', {
    label: 'Site',
    parent: 'web.menu_settings',
    groups: ['website.group_website_designer'],
  }),
  menu('website.menu_look', {
    label: 'Appearance',
    parent: 'website.menu_site',
    url: '/?look=here',
    groups: ['website.group_website_designer'],
  }),
  menu('website.menu_websites', {
    label: 'Websites',
    parent: 'website.menu_root',
    model: Website,
    groups: ['website.group_website_designer'],
    after: 'website.menu_redirects',
  }),
];
