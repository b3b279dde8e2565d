import type { Squad } from './people.ts';

/** A club; its crest is `pictures/crest-<key>.png`. */
export interface Club {
  readonly key: string;
  readonly name: string;
}

export const homeClub: Club = {
  key: 'ours',
  name: 'AS Val-Fleuri',
};

export const opponents: readonly Club[] = [
  {
    key: 'pontneuf',
    name: 'US Pont-Neuf',
  },
  {
    key: 'bellerive',
    name: 'FC Bellerive',
  },
  {
    key: 'moreuil',
    name: 'Étoile de Moreuil',
  },
  {
    key: 'saintaubin',
    name: 'RC Saint-Aubin',
  },
  {
    key: 'lavalette',
    name: 'Olympique Lavalette',
  },
];

export interface League {
  readonly squad: Squad;
  readonly category: string;
  readonly suffix: string;
  readonly name: readonly [string, string];
  /** Days after Monday, and the time of its matches. */
  readonly day: number;
  readonly time: string;
  readonly training: readonly [string, string];
  readonly about: readonly [string, string];
  readonly coach: string;
}

export const leagues: readonly League[] = [
  {
    squad: 'seniors',
    category: 'dribblo.category_seniors',
    suffix: 'Seniors',
    name: ['District league, division 2', 'Championnat de district, division 2'],
    day: 6,
    time: '15:00',
    training: ['Tuesday and Friday, 7 pm, main pitch', 'Mardi et vendredi, 19 h, terrain d’honneur'],
    about: [
      'The first team. Newcomers with a licence train with us on Tuesdays.',
      'L’équipe première. Les nouveaux licenciés s’entraînent avec nous le mardi.',
    ],
    coach: 'Pierre Garcia',
  },
  {
    squad: 'women',
    category: 'dribblo.category_women',
    suffix: 'Féminines',
    name: ['Women’s district league', 'Championnat féminin de district'],
    day: 5,
    time: '18:30',
    training: ['Wednesday, 7.30 pm', 'Mercredi, 19 h 30'],
    about: [
      'Founded by six friends, now a squad that others do not like to meet.',
      'Fondée par six amies, devenue une équipe que l’on n’aime pas croiser.',
    ],
    coach: 'Camille Roux',
  },
  {
    squad: 'u15',
    category: 'dribblo.category_u15',
    suffix: 'U15',
    name: ['U15 league, group B', 'Championnat U15, poule B'],
    day: 5,
    time: '14:30',
    training: ['Monday and Wednesday, 5.30 pm', 'Lundi et mercredi, 17 h 30'],
    about: [
      'Ten minutes of juggling before each training, no exception.',
      'Dix minutes de jonglage avant chaque séance, sans exception.',
    ],
    coach: 'Karim Haddad',
  },
  {
    squad: 'u11',
    category: 'dribblo.category_u11',
    suffix: 'U11',
    name: ['U11 Saturday league', 'Plateau U11 du samedi'],
    day: 5,
    time: '10:00',
    training: ['Wednesday, 2 pm', 'Mercredi, 14 h'],
    about: [
      'Everybody plays, and everybody gets an orange at half-time.',
      'Tout le monde joue, et tout le monde a son quartier d’orange à la mi-temps.',
    ],
    coach: 'Julie Fontaine',
  },
];

/** Rounds of a league of six, as pairs of positions; 0 is the club's team. The second half swaps home and away. */
const circle = [
  [
    [0, 1],
    [2, 5],
    [3, 4],
  ],
  [
    [5, 0],
    [1, 3],
    [4, 2],
  ],
  [
    [0, 4],
    [5, 1],
    [2, 3],
  ],
  [
    [3, 0],
    [4, 5],
    [1, 2],
  ],
  [
    [0, 2],
    [3, 5],
    [4, 1],
  ],
] as const;
export const rounds: readonly (readonly (readonly [number, number])[])[] = [
  ...circle,
  ...circle.map((round) => round.map(([home, away]) => [away, home] as const)),
];

/** Deterministic, realistic number of goals per team, at most five. */
export function goalsOf(seed: number): readonly [number, number] {
  const mixed = Math.imul(seed * 2654435761 + 40503, 2246822519) >>> 0;
  const table = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 1, 2, 0, 5, 1];
  return [table[mixed % 16] ?? 0, table[(mixed >>> 7) % 14] ?? 0];
}
