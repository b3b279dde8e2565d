import { type Ctx, data, ref } from 'pergola';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { home } from './pages/home.ts';
import { aboutPage, activities } from './pages/house.ts';
import { join } from './pages/join.ts';
import { journal, storyPages } from './pages/journal.ts';
import type { Content } from './pages/markup.ts';
import { calendarPage, contact, countries, gallery, legal } from './pages/rest.ts';

/** A page of the first site; takes precedence over a shared page at the same path. */
function page(url: string, name: readonly [string, string], content: Content, description: readonly [string, string]) {
  return {
    url,
    name: { en_US: name[0], fr_FR: name[1] },
    content,
    website_id: ref('website.default_website'),
    website_published: true,
    website_meta_description: { en_US: description[0], fr_FR: description[1] },
  };
}

const stories = Object.fromEntries(
  storyPages.map(({ slug, name, summary, picture, content }) => [
    `demo_story_${slug.replaceAll('-', '_')}`,
    {
      ...page(`/journal/${slug}`, [name.en_US, name.fr_FR], content, [summary.en_US, summary.fr_FR]),
      website_meta_og_img: picture,
    },
  ]),
);

/** Pages of La Tonnelle, a house with a garden and a workshop. */
const pages = {
  demo_home: page('/', ['Home', 'Accueil'], home, [
    'A garden, a workshop and a club house in Val-Fleuri, open to everyone.',
    'Un jardin, un atelier et une maison de quartier à Val-Fleuri, ouverts à tous.',
  ]),
  demo_about: page('/about-us', ['About us', 'Qui sommes-nous\u00a0?'], aboutPage, [
    'Ninety members, four gardens, one large table: who we are.',
    'Quatre-vingt-dix membres, quatre jardins, une grande table\u00a0: qui nous sommes.',
  ]),
  demo_activities: page('/activities', ['What we do', 'Nos activités'], activities, [
    'The garden, the workshop and three excursions a year.',
    'Le jardin, l’atelier et trois excursions par an.',
  ]),
  demo_journal: page('/journal', ['Journal', 'Journal'], journal, [
    'News from the house, told by the people who were there.',
    'Les nouvelles de la maison, racontées par ceux qui y étaient.',
  ]),
  ...stories,
  demo_gallery: page('/gallery', ['Gallery', 'Galerie'], gallery, ['The year in pictures.', 'L’année en images.']),
  demo_join: page('/join-us', ['Become a member', 'Devenir membre'], join, [
    'How to become a member, what it costs, and a form to join.',
    'Comment devenir membre, ce que cela coûte, et un formulaire.',
  ]),
  demo_calendar: page('/calendar', ['Calendar', 'Agenda'], calendarPage, [
    'Garden days, workshops, walks and open evenings.',
    'Journées au jardin, ateliers, balades et soirées ouvertes.',
  ]),
  demo_countries: page('/countries', ['Countries by currency', 'Pays par devise'], countries, [
    'A board of countries, one column for each currency.',
    'Un tableau de pays, une colonne par devise.',
  ]),
  demo_contact: page('/contactus', ['Contact us', 'Contactez-nous'], contact, [
    'How to reach us, our opening hours and a contact form.',
    'Nos coordonnées, nos horaires et un formulaire pour nous écrire.',
  ]),
  demo_legal: page('/legal', ['Legal notice', 'Mentions légales'], legal, [
    'Who is behind this site, and what it keeps about you.',
    'Qui édite ce site, et ce qu’il conserve de vous.',
  ]),
};

/** The page check finds no issues on them. */
const checked = data(WebsitePage, async (ctx: Ctx) =>
  Object.fromEntries(
    Object.entries(pages).map(([key, values]) => [key, { ...values, check_date: ctx.now(), check_faults: [] }]),
  ),
);

const entry = (name: readonly [string, string], page: string | null, parent: string, sequence: number, url = '') => ({
  name: { en_US: name[0], fr_FR: name[1] },
  url,
  page_id: page === null ? null : ref(page),
  parent_id: ref(parent),
  sequence,
});

/** Menu entries between “Home” and “Contact us”, which every new site has. */
const menus = data(WebsiteMenu, {
  demo_menu_house: entry(['The house', 'La maison'], null, 'website.main_menu', 20),
  demo_menu_about: entry(['About us', 'Qui sommes-nous\u00a0?'], 'demo_about', 'demo_menu_house', 10, '/about-us'),
  demo_menu_activities: entry(['What we do', 'Nos activités'], 'demo_activities', 'demo_menu_house', 20, '/activities'),
  demo_menu_gallery: entry(['Gallery', 'Galerie'], 'demo_gallery', 'demo_menu_house', 30, '/gallery'),
  demo_menu_calendar: entry(['Calendar', 'Agenda'], 'demo_calendar', 'demo_menu_house', 50, '/calendar'),
  demo_menu_journal: entry(['Journal', 'Journal'], 'demo_journal', 'demo_menu_house', 60, '/journal'),
});

export default [checked, menus];
