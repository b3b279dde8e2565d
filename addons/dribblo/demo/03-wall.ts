import { type Ctx, data, momentAt, mondayOf, plusDays, ref } from 'pergola';
import { Advert } from '../models/club-advert.ts';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { picture } from './club/pictures.ts';

const wall = data(Wall, {
  demo_wall: {
    name: { en_US: 'Club wall', fr_FR: 'Le mur du club' },
    description: {
      en_US: 'What happens between matches, from the people who were there.',
      fr_FR: 'Ce qui se passe entre deux matchs, raconté par ceux qui y étaient.',
    },
    website_published: true,
    member_posts: true,
  },
});

/** English and French text. */
type Text = readonly [string, string];
const translated = ([en_US, fr_FR]: Text) => ({ en_US, fr_FR });

interface Story {
  readonly name: Text;
  readonly descr: Text;
  /** File name in `club/pictures`. */
  readonly scene: string | null;
  /** Days from this week's Monday. */
  readonly day: number;
  readonly time: string;
}

/** Posts, oldest first. */
const stories: readonly Story[] = [
  {
    name: ['New shelves for the kit room', 'Nouveau local pour le matériel'],
    descr: [
      '<p>Thanks to Saturday’s twelve volunteers: the balls have shelves at last, and the shelves have labels.</p>',
      '<p>Merci aux douze bénévoles de samedi\u00a0: les ballons ont enfin des étagères, et les étagères des étiquettes.</p>',
    ],
    scene: 'club',
    day: -29,
    time: '18:12',
  },
  {
    name: ['Autumn camp: full', 'Stage de la Toussaint\u00a0: complet'],
    descr: [
      '<p>All forty places are taken. A waiting list is open at the club house.</p>',
      '<p>Les quarante places sont prises. Une liste d’attente est ouverte au club-house.</p>',
    ],
    scene: 'training',
    day: -24,
    time: '09:40',
  },
  {
    name: ['Assistant referees wanted', 'Arbitres de touche recherchés'],
    descr: [
      '<p>Every other Saturday, an hour and a half, a sandwich included. <strong>We train you.</strong></p>',
      '<p>Un samedi sur deux, une heure trente, un sandwich offert. <strong>Formation assurée.</strong></p>',
    ],
    scene: null,
    day: -19,
    time: '20:05',
  },
  {
    name: ['The U11 at the Bellerive tournament', 'Les U11 au tournoi de Bellerive'],
    descr: [
      '<p>Three wins, a draw and only one lost shoe. Well done, little ones!</p><ul><li>4–1 against Pont-Neuf</li><li>2–2 against Moreuil</li><li>3–0 against Lavalette</li></ul>',
      '<p>Trois victoires, un nul et une seule chaussure perdue. Bravo les petits\u00a0!</p><ul><li>4–1 contre Pont-Neuf</li><li>2–2 contre Moreuil</li><li>3–0 contre Lavalette</li></ul>',
    ],
    scene: 'kids',
    day: -16,
    time: '17:30',
  },
  {
    name: ['An evening under the floodlights', 'Soirée sous les projecteurs'],
    descr: [
      '<p>First training with the new lights: now we see who makes the pass.</p>',
      '<p>Premier entraînement avec le nouvel éclairage\u00a0: on voit enfin qui fait la passe.</p>',
    ],
    scene: 'night',
    day: -11,
    time: '22:15',
  },
  {
    name: ['The club’s calendar', 'Calendrier du club'],
    descr: [
      '<p>The calendar is here. Five euros, for the shirts of the U15.</p>',
      '<p>Le calendrier est arrivé. Cinq euros, au profit des maillots des U15.</p>',
    ],
    scene: null,
    day: -8,
    time: '12:00',
  },
  {
    name: ['Through on penalties!', 'Qualifiés aux tirs au but\u00a0!'],
    descr: [
      '<p>One all after extra time, five to four on penalties: the first team is in the quarter-final of the district cup.</p><p>Thanks to two hundred spectators, and to the brass band.</p>',
      '<p>Un partout après prolongation, cinq à quatre aux tirs au but\u00a0: les Seniors sont en quart de finale de la Coupe du district.</p><p>Merci aux deux cents spectateurs, et à la fanfare.</p>',
    ],
    scene: 'final',
    day: -5,
    time: '23:10',
  },
  {
    name: ['The derby in pictures', 'Le derby en images'],
    descr: [
      '<p>A full ground, autumn sun, and a goal in added time. What more could we ask for?</p>',
      '<p>Un stade plein, un soleil d’automne, et un but dans le temps additionnel. Que demander de plus\u00a0?</p>',
    ],
    scene: 'derby',
    day: -1,
    time: '18:45',
  },
];

const posts = data(WallPost, async (ctx: Ctx) => {
  const monday = mondayOf(ctx.today());
  const rows: [string, object][] = [];
  for (const [index, { name, descr, scene, day, time }] of stories.entries()) {
    const image = scene && (await picture(ctx, scene));
    const author_id = ref(index % 3 === 0 ? 'base.demo_editor_partner' : 'base.main_partner');
    const create_date = momentAt(plusDays(monday, day), time, ctx.siteTimezone);
    const fields = { wall_id: ref('demo_wall'), name: translated(name), descr: translated(descr), create_date };
    rows.push([`demo_post_${index + 1}`, { ...fields, image, author_id, website_published: true }]);
  }
  const pendingPost = {
    wall_id: ref('demo_wall'),
    name: translated(['Lifts for Saturday', 'Covoiturage pour samedi']),
    descr: translated([
      '<p>I have three seats left to Bellerive, leaving at 8.45.</p>',
      '<p>Il me reste trois places pour Bellerive, départ 8 h 45.</p>',
    ]),
    author_id: ref('base.demo_portal_partner'),
  };
  return Object.fromEntries([...rows, ['demo_post_waiting', pendingPost]]);
});

const adverts = data(Advert, async (ctx: Ctx) => {
  const today = ctx.today();
  const running = { zone: 'main', date_from: plusDays(today, -60), date_to: plusDays(today, 300) };
  return {
    demo_bakery: {
      ...running,
      name: 'Boulangerie du Pont',
      link: 'https://boulangerie.example/',
      image: await picture(ctx, 'banner-boulangerie'),
    },
    demo_garage: {
      ...running,
      name: 'Garage Lambert',
      link: 'https://garage.example/',
      image: await picture(ctx, 'banner-garage'),
    },
    demo_florist: {
      ...running,
      name: 'Fleurs du Val',
      image: await picture(ctx, 'banner-fleurs'),
    },
    demo_over: {
      name: 'Fête du club (passée)',
      zone: 'main',
      date_from: plusDays(today, -200),
      date_to: plusDays(today, -100),
      image: await picture(ctx, 'banner-fete'),
    },
  };
});

export default [wall, posts, adverts];
