import { type Ctx, data, ref } from '#core';
import { Advert } from '../models/club-advert.ts';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { plusDays } from '../services/week.ts';
import { banner, drawn, scenes } from './club/drawings.ts';

const zone = 'Europe/Paris';

const wall = data(Wall, {
  demo_wall: {
    name: { en_US: 'The club’s wall', fr_FR: 'Le mur du club' },
    description: {
      en_US: 'What happens between two matches, told by those who were there.',
      fr_FR: 'Ce qui se passe entre deux matchs, raconté par ceux qui y étaient.',
    },
    website_published: true,
    member_posts: true,
  },
});

interface Story {
  readonly name: string;
  readonly descr: string;
  readonly scene: keyof typeof scenes | null;
}

/** What was posted, the oldest first: posts are in the language of who wrote them. */
const stories: readonly Story[] = [
  {
    name: 'Nouveau local pour le matériel',
    descr:
      '<p>Merci aux douze bénévoles de samedi : les ballons ont enfin des étagères, et les étagères des étiquettes.</p>',
    scene: 'club',
  },
  {
    name: 'Stage de la Toussaint : complet',
    descr: '<p>Les quarante places sont prises. Une liste d’attente est ouverte au club-house.</p>',
    scene: 'training',
  },
  {
    name: 'Arbitres de touche recherchés',
    descr: '<p>Un samedi sur deux, une heure trente, un sandwich offert. <strong>Formation assurée.</strong></p>',
    scene: null,
  },
  {
    name: 'Les U11 au tournoi de Bellerive',
    descr:
      '<p>Trois victoires, un nul et une seule chaussure perdue. Bravo les petits !</p><ul><li>4–1 contre Pont-Neuf</li><li>2–2 contre Moreuil</li><li>3–0 contre Lavalette</li></ul>',
    scene: 'kids',
  },
  {
    name: 'Soirée sous les projecteurs',
    descr: '<p>Premier entraînement avec le nouvel éclairage : on voit enfin qui fait la passe.</p>',
    scene: 'night',
  },
  {
    name: 'Calendrier du club',
    descr: '<p>Le calendrier est arrivé. Cinq euros, au profit des maillots des U15.</p>',
    scene: null,
  },
  {
    name: 'Qualifiés aux tirs au but !',
    descr:
      '<p>Un partout après prolongation, cinq à quatre aux tirs au but : les Seniors sont en quart de finale de la Coupe du district.</p><p>Merci aux deux cents spectateurs, et à la fanfare.</p>',
    scene: 'final',
  },
  {
    name: 'Le derby en images',
    descr: '<p>Un stade plein, un soleil d’automne, et un but dans le temps additionnel. Que demander de plus ?</p>',
    scene: 'derby',
  },
];

const posts = data(WallPost, async (ctx: Ctx) => {
  const rows: [string, object][] = [];
  for (const [index, { name, descr, scene }] of stories.entries()) {
    const image = scene ? await drawn(ctx, scenes[scene], `mur-${index + 1}`, 'jpeg') : null;
    const author_id = ref(index % 3 === 0 ? 'base.demo_editor_partner' : 'base.main_partner');
    rows.push([
      `demo_post_${index + 1}`,
      { wall_id: ref('demo_wall'), name, descr, image, author_id, website_published: true },
    ]);
  }
  const asked = {
    wall_id: ref('demo_wall'),
    name: 'Covoiturage pour samedi',
    descr: '<p>Il me reste trois places pour Bellerive, départ 8 h 45.</p>',
    author_id: ref('base.demo_portal_partner'),
  };
  return Object.fromEntries([...rows, ['demo_post_waiting', asked]]);
});

const adverts = data(Advert, async (ctx: Ctx) => {
  const today = ctx.today(zone);
  const running = { zone: 'main', date_from: plusDays(today, -60), date_to: plusDays(today, 300) };
  const made = async (key: string, ...about: Parameters<typeof banner>) => drawn(ctx, banner(...about), key);
  return {
    demo_bakery: {
      ...running,
      name: 'Boulangerie du Pont',
      link: 'https://boulangerie.example/',
      image: await made(
        'boulangerie',
        'Boulangerie du Pont',
        'Le pain d’après-match',
        '#7a4e22',
        '#fff4e0',
        '<path d="M20 150q0-130 80-130t80 130z"/><path d="m60 90 20 30m20-40 20 30"/>',
      ),
    },
    demo_garage: {
      ...running,
      name: 'Garage Lambert',
      link: 'https://garage.example/',
      image: await made(
        'garage',
        'Garage Lambert',
        'Révision et dépannage, 7 j / 7',
        '#1d3f5e',
        '#e8f3fb',
        '<path d="M10 120h180V90l-30-10-30-50H60L35 80 10 90z"/><circle cx="55" cy="125" r="24"/><circle cx="145" cy="125" r="24"/>',
      ),
    },
    demo_florist: {
      ...running,
      name: 'Fleurs du Val',
      image: await made(
        'fleurs',
        'Fleurs du Val',
        'Bouquets, couronnes, pelouses',
        '#f3d9e4',
        '#6b1f45',
        '<circle cx="100" cy="70" r="26"/><path d="M100 96v90m0-30q-40 0-50-36m50 36q40 0 50-36M74 55q-50-20-30-50 30 0 40 36m16 3q-20-50 20-50t10 50m-4 11q50-30 50 10-20 26-50 10"/>',
      ),
    },
    demo_over: {
      name: 'Fête du club (passée)',
      zone: 'main',
      date_from: plusDays(today, -200),
      date_to: plusDays(today, -100),
      image: await made(
        'fete',
        'Fête du club',
        'C’était en juin',
        '#1f6b4a',
        '#ffffff',
        '<path d="M20 150 100 20l80 130z"/>',
      ),
    },
  };
});

export default [wall, posts, adverts];
