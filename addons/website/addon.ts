import { defineAddon } from 'pergola';
import { calendar } from './calendar/contents.ts';
import { together } from './contents.ts';
import { editor } from './editor/contents.ts';
import { forms } from './forms/contents.ts';
import { look } from './look/contents.ts';
import { search } from './search/contents.ts';
import { address } from './services/address.ts';
import { consequences } from './services/consequences.ts';
import { siteTimezone } from './services/current-website.ts';
import { site } from './site.ts';
import { snippets } from './snippets/contents.ts';

export default defineAddon({
  name: 'website',
  title: 'Website',
  summary: 'Websites with pages, menus, languages and a visual editor',
  version: '1.6.0',
  category: 'Website',
  icon: 'globe',
  depends: ['web', 'mail'],
  address,
  consequences,
  siteTimezone,
  ...together(site, look, search, editor, snippets, forms, calendar),
});
