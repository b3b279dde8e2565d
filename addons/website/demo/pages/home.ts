import {
  banner,
  bigMessage,
  both,
  cards,
  features,
  heading,
  parallax,
  placed,
  placedSoft,
  placedWithin,
  quotes,
  references,
  textAndPicture,
} from './markup.ts';

/** Home page of the demo. */
export const home = both((say) => [
  banner(say, {
    kicker: say(
      'A garden, a workshop and a club house in Val-Fleuri',
      'Un jardin, un atelier et une maison de quartier à Val-Fleuri',
    ),
    title: say('Good things grow where people meet', 'Là où l’on se retrouve, tout pousse mieux'),
    lead: say(
      'La Tonnelle brings neighbours, friends and newcomers together, all year round. Come as you are, stay as long as you like.',
      'La Tonnelle réunit voisins, amis et nouveaux venus, toute l’année. Venez comme vous êtes, restez autant qu’il vous plaira.',
    ),
    buttons: [
      { text: say('See what’s on', 'Voir l’agenda'), href: '/calendar' },
      { text: say('What we do', 'Nos activités'), href: '/activities' },
    ],
    picture: 'pergola',
  }),
  features([
    {
      icon: 'people',
      title: say('Together', 'Ensemble'),
      text: say(
        'No one has to know everything. Everyone who joins finds people to learn from, and something to teach.',
        'Personne n’a besoin de tout savoir. Chacun trouve ici de qui apprendre, et quelque chose à transmettre.',
      ),
    },
    {
      icon: 'tree',
      title: say('Close to nature', 'Près de la nature'),
      text: say(
        'We are outdoors whenever we can, and leave every place a little better than we found it.',
        'Nous sommes dehors dès que possible, et laissons chaque lieu un peu plus beau qu’à notre arrivée.',
      ),
    },
    {
      icon: 'heart',
      title: say('With all our heart', 'De tout cœur'),
      text: say(
        'We love what we do. You can see it, and most of the time you can taste it, too.',
        'Ce que nous faisons, nous le faisons avec plaisir. Cela se voit, et le plus souvent cela se goûte.',
      ),
    },
  ]),
  placedSoft('website_event.events', {
    title: say('What’s on', 'À l’affiche'),
    look: 'cards',
    limit: 3,
  }),
  textAndPicture(say, {
    side: 'end',
    picture: 'workshop',
    title: say('A workshop with its door open', 'Un atelier, porte ouverte'),
    text: [
      say(
        'Chairs that wobble, bicycles that squeak, jumpers with holes: from Tuesday to Saturday someone at the bench knows what to do, and shows you how.',
        'Chaises bancales, vélos grinçants, pulls troués\u00a0: du mardi au samedi, il y a toujours quelqu’un à l’établi pour savoir quoi faire et vous montrer comment.',
      ),
      say(
        'Last year 412 things that would have been thrown away left the workshop repaired.',
        'L’an dernier, 412 objets promis à la benne sont repartis réparés.',
      ),
    ],
    buttons: [{ text: say('Visit the workshop', 'Découvrir l’atelier'), href: '/activities#workshop' }],
  }),
  heading(say('Three ways to join in', 'Trois façons de participer')),
  cards(say, [
    {
      picture: 'orchard',
      title: say('Garden days', 'Journées au jardin'),
      text: say(
        'Planting in spring, picking in autumn, and a long table under the trees in between.',
        'Planter au printemps, récolter à l’automne et, entre les deux, une grande tablée sous les arbres.',
      ),
      href: '/activities#garden',
    },
    {
      picture: 'village',
      title: say('Open evenings', 'Soirées ouvertes'),
      text: say(
        'Thursdays from half past six: a lit stove, a pot of soup and a guest who knows something.',
        'Le jeudi dès dix-huit heures trente\u00a0: un poêle qui ronfle, une marmite de soupe et un invité qui sait quelque chose.',
      ),
      href: '/calendar',
    },
    {
      picture: 'coast',
      title: say('Excursions', 'Les excursions'),
      text: say(
        'By train, by bicycle or on foot: three times a year we set out together.',
        'En train, à vélo ou à pied\u00a0: trois fois par an, nous partons ensemble.',
      ),
      href: '/activities#excursions',
    },
  ]),
  placedSoft('website_sale.products', {
    title: say('From our workshop', 'De notre atelier'),
    look: 'cards',
    limit: 4,
  }),
  placedWithin('dribblo.next_match', { countdown: true }),
  parallax(say, {
    picture: 'leaves',
    title: say('Take your time', 'Prenez le temps'),
    text: say(
      'Nothing here grows faster because someone pulls at it.',
      'Ici, rien ne pousse plus vite parce qu’on tire dessus.',
    ),
  }),
  placed('website.page_list', {
    title: say('From the journal', 'Dans le journal'),
    below: '/journal',
    order: 'newest',
    limit: 3,
  }),
  placedSoft('forum.questions', {
    title: say('Latest questions', 'Questions récentes'),
    limit: 4,
  }),
  quotes([
    {
      face: 'amelie',
      name: 'Amélie Laurent',
      about: say('Member since the second year', 'Membre depuis la deuxième année'),
      text: say(
        'I came for one evening, to be polite. That was six years ago, and I have hardly missed one since.',
        'Je suis venue un soir, par politesse. C’était il y a six ans, et je n’en ai presque pas manqué depuis.',
      ),
    },
    {
      face: 'karim',
      name: 'Karim Benali',
      about: say('Neighbour', 'Voisin'),
      text: say(
        'They repaired my grandfather’s chair and would only take a cake in return. Now I bake for every garden day.',
        'Ils ont réparé la chaise de mon grand-père contre un simple gâteau. Depuis, j’en fais un à chaque journée au jardin.',
      ),
    },
    {
      face: 'jeanne',
      name: 'Jeanne Moreau-Petit',
      about: say('Teaches bookbinding', 'Enseigne la reliure'),
      text: say(
        'At my age you don’t expect to make new friends. I’ve had to buy a bigger table.',
        'À mon âge, on n’attend plus de nouveaux amis. J’ai dû acheter une plus grande table.',
      ),
    },
  ]),
  placedSoft('mass_mailing.subscribe', {}),
  references(say('Who we work with', 'Ils nous accompagnent')),
  bigMessage(
    say(
      'Every beginning is small. Yours may be today.',
      'Tout commencement est petit. Le vôtre est peut-être aujourd’hui.',
    ),
    say(
      'Join us for an afternoon and find out what we could do together.',
      'Passez un après-midi avec nous\u00a0: nous verrons ce que nous pourrions faire ensemble.',
    ),
    [{ text: say('Say hello', 'Écrivez-nous'), href: '/contactus' }],
  ),
]);
