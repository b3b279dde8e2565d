type Translations = readonly [english: string, french: string];

/** A ticket type: price excluding tax, seats (0: unlimited), and how many days before the event its sale ends. */
interface TicketPlan {
  readonly key: string;
  readonly name: Translations;
  readonly about?: Translations;
  readonly price: string;
  readonly seats: number;
  readonly closes?: number;
  readonly opens?: number;
}

export interface EventPlan {
  readonly name: Translations;
  readonly summary: Translations;
  /** Paragraphs. */
  readonly text: readonly Translations[];
  /** Days from today, and the time of day in the event's time zone. */
  readonly from: readonly [days: number, time: string];
  readonly to: readonly [days: number, time: string];
  readonly zone: string;
  readonly type: 'conference' | 'seminar' | 'exhibition' | 'show' | 'training';
  readonly place: string | null;
  readonly state?: 'draft' | 'done';
  readonly seats?: number;
  readonly tickets: readonly TicketPlan[];
  readonly menu?: boolean;
  readonly hashtag?: string;
  /** Seats of the first ticket type that are already taken. */
  readonly taken?: number;
}

const standard = (price: string, seats: number, more: Partial<TicketPlan> = {}): TicketPlan => ({
  key: 'standard',
  name: ['Standard', 'Standard'],
  about: ['Entrance and coffee', 'Entrée et café'],
  price,
  seats,
  ...more,
});
const vip = (price: string, seats: number): TicketPlan => ({
  key: 'vip',
  name: ['VIP', 'VIP'],
  about: [
    'Entrance, dinner with the speakers, front-row seat',
    'Entrée, dîner avec les intervenants, place aux premiers rangs',
  ],
  price,
  seats,
});
const free = (seats: number): TicketPlan => ({
  key: 'free',
  name: ['Free entry', 'Entrée libre'],
  price: '0',
  seats,
});

/** Ten events around the day the demo is loaded, in several countries and online. */
export const plans: Readonly<Record<string, EventPlan>> = {
  conference: {
    name: ['Conference on Business Apps', 'Conférence Business Apps'],
    summary: [
      'A day about software that people enjoy working with.',
      'Une journée sur les logiciels avec lesquels on aime travailler.',
    ],
    text: [
      [
        'Thirty talks in three halls: how shops, clubs and workshops run their daily work with open software, what went wrong on the way, and what they would do again.',
        'Trente conférences dans trois salles\u00a0: comment boutiques, associations et ateliers gèrent leur quotidien avec des logiciels libres, ce qui a échoué en chemin, et ce qu’ils referaient.',
      ],
      [
        'In the afternoon there are workshops in small groups. Bring a laptop, and a question.',
        'L’après-midi, des ateliers en petits groupes. Apportez un ordinateur, et une question.',
      ],
    ],
    from: [5, '09:00'],
    to: [5, '18:30'],
    zone: 'America/Detroit',
    type: 'conference',
    place: 'demo_place_detroit',
    tickets: [standard('1000', 1000), vip('1500', 500)],
    hashtag: 'BusinessApps',
  },
  open_days: {
    name: ['Open Days in Los Angeles', 'Portes ouvertes à Los Angeles'],
    summary: ['Five days in the workshops of forty makers.', 'Cinq jours dans les ateliers de quarante artisans.'],
    text: [
      [
        'Potters, bookbinders, luthiers and brewers open their doors. One ticket covers all five days.',
        'Potiers, relieurs, luthiers et brasseurs ouvrent leurs portes. Un billet vaut pour les cinq jours.',
      ],
    ],
    from: [1, '10:00'],
    to: [5, '18:00'],
    zone: 'America/Los_Angeles',
    type: 'exhibition',
    place: 'demo_place_los_angeles',
    tickets: [standard('35', 50), vip('90', 10)],
    taken: 41,
  },
  webinar: {
    name: ['Functional Webinar', 'Webinaire fonctionnel'],
    summary: [
      'Two hours online: from the first product to the first order.',
      'Deux heures en ligne\u00a0: du premier article à la première commande.',
    ],
    text: [
      [
        'Follow from home and ask anything you like. We’ll send you the recording afterwards.',
        'Vous suivez de chez vous et posez toutes vos questions. L’enregistrement vous est envoyé ensuite.',
      ],
    ],
    from: [3, '14:00'],
    to: [3, '16:00'],
    zone: 'Europe/Paris',
    type: 'seminar',
    place: null,
    tickets: [free(60)],
  },
  training: {
    name: ['Technical Training', 'Formation technique'],
    summary: [
      'Five days of building addons, from two files to a finished one.',
      'Cinq jours pour construire des extensions, de deux fichiers au produit fini.',
    ],
    text: [
      [
        'A small group with two trainers. The dates aren’t fixed yet. Tickets will go on sale once they are.',
        'Un petit groupe et deux formateurs. Les dates ne sont pas encore fixées\u00a0: les billets seront en vente dès qu’elles le seront.',
      ],
    ],
    from: [15, '09:00'],
    to: [19, '17:00'],
    zone: 'Europe/Brussels',
    type: 'training',
    place: 'demo_place_brussels',
    state: 'draft',
    tickets: [standard('1000', 20), vip('1500', 5)],
  },
  lantern_concert: {
    name: ['Concert under lanterns', 'Concert aux lanternes'],
    summary: ['Strings, accordion and soup in the courtyard.', 'Cordes, accordéon et soupe dans la cour.'],
    text: [
      [
        'The courtyard holds eighty people and not one more. Once it’s full, join the waiting list: any seats that become available are offered there first.',
        'La cour accueille quatre-vingts personnes, pas une de plus. Une fois complète, la liste d’attente est servie en premier dès qu’une place se libère.',
      ],
    ],
    from: [9, '20:30'],
    to: [9, '23:00'],
    zone: 'Europe/Paris',
    type: 'show',
    place: 'demo_place_lyon',
    seats: 80,
    tickets: [
      standard('18', 80),
      {
        key: 'child',
        name: ['Children', 'Enfants'],
        about: ['Up to twelve', 'Jusqu’à douze ans'],
        price: '6',
        seats: 20,
      },
    ],
    taken: 80,
  },
  harvest: {
    name: ['Harvest fair', 'Fête des récoltes'],
    summary: [
      'Cheese, bread and everything that grows around Lake Geneva.',
      'Fromages, pains et tout ce qui pousse autour du Léman.',
    ],
    text: [
      [
        'Sixty growers and bakers, a press for your own apples, and a prize for the heaviest pumpkin.',
        'Soixante producteurs et boulangers, un pressoir pour vos propres pommes, et un prix pour la plus lourde citrouille.',
      ],
      ['Children get in free with an adult.', 'Les enfants accompagnés entrent gratuitement.'],
    ],
    from: [26, '09:00'],
    to: [27, '18:00'],
    zone: 'Europe/Zurich',
    type: 'exhibition',
    place: 'demo_place_geneva',
    tickets: [standard('12', 0)],
    menu: true,
  },
  canal_talks: {
    name: ['Talks by the canal', 'Rencontres du canal'],
    summary: [
      'Three evenings about towns reinventing their harbours.',
      'Trois soirées sur les villes qui réinventent leurs ports.',
    ],
    text: [
      [
        'Architects, bargemen and neighbours explain how old quays became places to live. In French and English.',
        'Architectes, bateliers et riverains racontent comment de vieux quais sont devenus des lieux de vie. En français et en anglais.',
      ],
    ],
    from: [33, '18:30'],
    to: [35, '21:00'],
    zone: 'America/Toronto',
    type: 'seminar',
    place: 'demo_place_montreal',
    tickets: [
      standard('25', 120),
      { key: 'three', name: ['All three evenings', 'Les trois soirées'], price: '60', seats: 40 },
    ],
  },
  weaving: {
    name: ['Weaving for beginners', 'Tissage pour débutants'],
    summary: [
      'A weekend at the loom; you take your scarf home.',
      'Un week-end au métier\u00a0; vous repartez avec votre écharpe.',
    ],
    text: [
      [
        'Eight looms, eight people. Wool, lunch and patience are included. Tickets go on sale next week.',
        'Huit métiers, huit personnes. Laine, repas et patience compris. Billets en vente dès la semaine prochaine.',
      ],
    ],
    from: [48, '10:00'],
    to: [49, '16:00'],
    zone: 'Europe/Berlin',
    type: 'training',
    place: 'demo_place_berlin',
    tickets: [standard('160', 8, { opens: 7 })],
  },
  garden_night: {
    name: ['Night in the garden', 'Nuit au jardin'],
    summary: [
      'Hedgehogs, bats and stars, with experts to guide you.',
      'Hérissons, chauves-souris et étoiles, avec des guides passionnés.',
    ],
    text: [
      [
        'We walk slowly and whisper. Bring a torch with a red light if you have one.',
        'Nous marchons lentement et parlons bas. Apportez une lampe à lumière rouge, si vous en avez une.',
      ],
    ],
    from: [61, '21:00'],
    to: [62, '00:30'],
    zone: 'Europe/Paris',
    type: 'show',
    place: 'demo_place_paris',
    tickets: [free(40)],
  },
  spring_meeting: {
    name: ['Members’ meeting', 'Rencontre des membres'],
    summary: ['A look back at the year’s plantings.', 'Retour sur les plantations de l’année.'],
    text: [
      [
        'It was a lovely day. The slides and the cake recipe are available on request.',
        'Ce fut une belle journée. Les présentations et la recette du gâteau sont envoyées sur demande.',
      ],
    ],
    from: [-20, '10:00'],
    to: [-20, '17:00'],
    zone: 'Europe/Paris',
    type: 'conference',
    place: 'demo_place_paris',
    state: 'done',
    tickets: [standard('20', 60)],
  },
};
