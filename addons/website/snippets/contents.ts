import { access } from 'pergola';
import { addressBlock } from '../blocks/address.ts';
import { countdownBlock } from '../blocks/countdown.ts';
import { mapBlock } from '../blocks/map.ts';
import { pageList } from '../blocks/page-list.ts';
import { shareBlock } from '../blocks/share.ts';
import { tableOfContents } from '../blocks/table-of-contents.ts';
import type { Contents } from '../contents.ts';
import { cartPages, robotRules } from '../services/robot-rules.ts';
import { kanbanCards } from './kanban/card.ts';
import { countryBoard, countryCard } from './kanban/country-board.ts';
import { kanbanRoute } from './kanban/route.ts';
import { ownOptions } from './options.ts';
import { ownSnippets } from './own.ts';
import { ownPages } from './pages.ts';
import { frameSources } from './players.ts';
import { blockOptions, pageTemplates, snippets as snippetPoint } from './point.ts';
import { sharedBlock } from './saved/block.ts';
import { savedPage } from './saved/routes.ts';
import { SavedBlock } from './saved/saved-block.ts';
import { menus, views } from './saved/views.ts';
import { makePage } from './tours/make-page.ts';
import { tours } from './tours/point.ts';
import { tourSteps, toursPage } from './tours/routes.ts';

/** Snippets, behaviours, kanban, tours and the follow widget. */
export const snippets: Contents = {
  models: [SavedBlock],
  access: [access(SavedBlock, { '*': 'r', 'website.group_website_publisher': 'rwcd' })],
  views,
  menus,
  routes: [kanbanRoute, toursPage, tourSteps, savedPage],
  blocks: [shareBlock, countryBoard, mapBlock, countdownBlock, tableOfContents, pageList, addressBlock, sharedBlock],
  points: [snippetPoint, blockOptions, pageTemplates, kanbanCards, robotRules, cartPages, tours],
  snippets: ownSnippets,
  blockOptions: ownOptions,
  pageTemplates: ownPages,
  kanbanCards: [countryCard],
  cspSources: frameSources.map((source) => ({ directive: 'frame-src', source })),
  tours: [makePage],
  behaviours: {
    'website.page': 'html',
    'website.tour': '[data-tour]',
    'website.slider': '.s_slider',
    'website.parallax': '.s_parallax',
    'website.gallery': '.s_gallery',
    'website.media-video': 'a.s_media',
    'website.film': 'video.o-behind',
    'website.count': '.s_count',
    'website.logos': '.s_logos_run',
    'website.table-scroll': '.table-responsive',
    'website.popup': 'section.s_popup',
    'website.scroll-animation': '.animate',
    'website.back-to-top': '.back-to-top',
  },
};
