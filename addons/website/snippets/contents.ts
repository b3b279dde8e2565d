import { shareBlock } from '../blocks/share.ts';
import type { Contents } from '../contents.ts';
import { robotRules } from '../services/robot-rules.ts';
import { kanbanCards } from './kanban/card.ts';
import { countryBoard, countryCard } from './kanban/country-board.ts';
import { kanbanRoute } from './kanban/route.ts';
import { ownSnippets } from './own.ts';
import { snippets as snippetPoint } from './point.ts';
import { makePage } from './tours/make-page.ts';
import { tours } from './tours/point.ts';
import { tourSteps, toursPage } from './tours/routes.ts';

const players = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com', 'https://www.dailymotion.com'];

/** What snippets, behaviours, kanban, tours and the follow widget bring. */
export const snippets: Contents = {
  routes: [kanbanRoute, toursPage, tourSteps],
  blocks: [shareBlock, countryBoard],
  points: [snippetPoint, kanbanCards, robotRules, tours],
  snippets: ownSnippets,
  kanbanCards: [countryCard],
  cspSources: players.map((source) => ({ directive: 'frame-src', source })),
  tours: [makePage],
  behaviours: {
    'website.page': 'html',
    'website.tour': '[data-tour]',
    'website.slider': '.s_slider',
    'website.parallax': '.s_parallax',
    'website.gallery': '.s_gallery',
    'website.media-video': 'a.s_media',
    'website.scroll-animation': '.animate',
    'website.back-to-top': '.back-to-top',
  },
};
