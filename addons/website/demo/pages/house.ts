import {
  bigMessage,
  both,
  faq,
  featureGrid,
  pageTitle,
  parallax,
  references,
  type Say,
  textAndPicture,
} from './markup.ts';

/** The team of the house. */
function people(say: Say): string {
  const all = [
    [
      'jeanne',
      'Jeanne Moreau-Petit',
      say('Chair, bookbinding', 'Présidente, reliure'),
      say(
        'Binds what is falling apart, books and people alike.',
        'Relie ce qui s’effeuille, les livres comme les gens.',
      ),
    ],
    [
      'karim',
      'Karim Benali',
      say('Garden and orchard', 'Jardin et verger'),
      say(
        'Knows every apple by name and most of them by character.',
        'Connaît chaque pomme par son nom, et souvent par son caractère.',
      ),
    ],
    [
      'amelie',
      'Amélie Laurent',
      say('Workshop and programme', 'Atelier et programme'),
      say(
        'Finds the right screw, the right evening and the right words.',
        'Trouve la bonne vis, la bonne soirée et les mots justes.',
      ),
    ],
  ];
  const lines = all.map(
    ([face, name, role, text]) =>
      `<li><img src="/website/static/people/${face}.svg" alt="" role="presentation" width="112" height="112" loading="lazy"><h3 class="h4" translate="no">${name}</h3><p class="text-body-secondary">${role}</p><p>${text}</p></li>`,
  );
  return `<section class="py-5" data-name="website.text_block">
<div class="container">
<h2 class="text-center">${say('Who you’ll meet', 'Qui vous accueille')}</h2>
<ul class="site-people list-unstyled">
${lines.join('\n')}
</ul>
</div>
</section>`;
}

/** Story of the house, and its team. */
export const aboutPage = both((say) => [
  pageTitle(
    say('About us', 'Qui sommes-nous\u00a0?'),
    say(
      'Ninety members, four gardens, one large table. An association run by the people who use it.',
      'Quatre-vingt-dix membres, quatre jardins, une grande table. Une association tenue par celles et ceux qui en profitent.',
    ),
    say('Our house', 'Notre maison'),
  ),
  textAndPicture(say, {
    side: 'end',
    picture: 'village',
    title: say('It began with a ladder', 'Tout a commencé par une échelle'),
    text: [
      say(
        'In 2009 seven households in the chemin du Moulin owned seven ladders, and every one of them stood unused in a cellar for 360 days a year. They kept one. In the cellar of number 4, where the other six had been, there was room for a workbench, and then for a second one.',
        'En 2009, sept foyers du chemin du Moulin possédaient sept échelles, qui dormaient chacune à la cave 360 jours par an. Ils en gardèrent une. À la place des six autres, dans la cave du numéro 4, il y eut de quoi loger un établi, puis un deuxième.',
      ),
      say(
        'Today the house lends 640 things, from the cider press to the marquee, and the ladder is still the one that is borrowed most.',
        'Aujourd’hui la maison prête 640 objets, du pressoir au chapiteau, et l’échelle reste la plus demandée.',
      ),
    ],
  }),
  people(say),
  featureGrid(say('What you’ll find here', 'Ce que vous trouverez ici'), [
    {
      icon: 'tools',
      title: say('A workshop with everything', 'Un atelier bien équipé'),
      text: say(
        'Benches, tools and someone who knows how to use them.',
        'Des établis, des outils et quelqu’un qui sait s’en servir.',
      ),
    },
    {
      icon: 'book',
      title: say('A library of borrowed things', 'Une bibliothèque d’objets'),
      text: say(
        'Books, of course, but also ladders, tents and a cider press.',
        'Des livres, bien sûr, mais aussi des échelles, des tentes et un pressoir.',
      ),
    },
    {
      icon: 'calendar',
      title: say('Something every week', 'Un rendez-vous par semaine'),
      text: say(
        'Talks, walks, concerts and long breakfasts.',
        'Causeries, balades, concerts et longs petits-déjeuners.',
      ),
    },
    {
      icon: 'cup',
      title: say('Good coffee', 'Du bon café'),
      text: say(
        'Pay what you can; those who can pay more keep it going.',
        'À prix libre\u00a0: ceux qui peuvent donner plus font tourner la cafetière.',
      ),
    },
    {
      icon: 'shield',
      title: say('A safe place for children', 'Un lieu sûr pour les enfants'),
      text: say('With a fence, a sandpit and eyes on both.', 'Une clôture, un bac à sable et des yeux sur les deux.'),
    },
    {
      icon: 'place',
      title: say('Easy to get to', 'Facile d’accès'),
      text: say(
        'Five minutes from the station, with room for bicycles.',
        'À cinq minutes de la gare, avec de la place pour les vélos.',
      ),
    },
  ]),
  faq(say('Frequently asked questions', 'Questions fréquentes'), [
    [
      say('Can I just drop by?', 'Puis-je passer à l’improviste\u00a0?'),
      say(
        'Yes. Someone is always here during opening hours, and your first visit is free.',
        'Oui. Il y a toujours quelqu’un aux heures d’ouverture, et la première visite est gratuite.',
      ),
    ],
    [
      say('Do I need any experience?', 'Faut-il déjà savoir faire\u00a0?'),
      say(
        'No. Most of us were beginners when we started. Bring your curiosity: tools and coffee are on us.',
        'Non. La plupart d’entre nous ne savaient rien en arrivant. Apportez votre curiosité\u00a0; les outils et le café sont là.',
      ),
    ],
    [
      say('Can I bring my children?', 'Puis-je venir avec mes enfants\u00a0?'),
      say(
        'Of course. There’s a corner for the little ones, and the bigger ones soon know their way around better than we do.',
        'Avec plaisir. Il y a un coin pour les petits, et les grands s’y repèrent vite mieux que nous.',
      ),
    ],
    [
      say('How can I help?', 'Comment vous aider\u00a0?'),
      say(
        'With your time, with tools you no longer need, or by telling others about us. All three mean a lot to us.',
        'En donnant du temps, des outils dont vous ne vous servez plus, ou en parlant de nous. Les trois comptent beaucoup.',
      ),
    ],
  ]),
  references(say('Who we work with', 'Ils nous accompagnent')),
]);

/** Membership prices. */
function memberships(say: Say): string {
  const all = [
    {
      name: say('Friend', 'Ami'),
      price: say('<strong>Free</strong>', '<strong>Gratuit</strong>'),
      best: false,
      button: say('Become a friend', 'Devenir ami'),
      lines: [
        say('A newsletter four times a year', 'Des nouvelles quatre fois par an'),
        say('Open evenings', 'Les soirées ouvertes'),
        say('The library', 'La bibliothèque'),
      ],
    },
    {
      name: say('Member', 'Membre'),
      price: say('<strong>€5</strong> a month', '<strong>5\u00a0€</strong> par mois'),
      best: true,
      button: say('Become a member', 'Devenir membre'),
      lines: [
        say('Everything friends have', 'Tout ce qu’ont les amis'),
        say('Two workshops a year', 'Deux ateliers par an'),
        say('A vote in what we do', 'Une voix à l’assemblée'),
        say('The key to the garden', 'La clé du jardin'),
      ],
    },
    {
      name: say('Patron', 'Bienfaiteur'),
      price: say('<strong>€20</strong> a month', '<strong>20\u00a0€</strong> par mois'),
      best: false,
      button: say('Become a patron', 'Devenir bienfaiteur'),
      lines: [
        say('Everything members have', 'Tout ce qu’ont les membres'),
        say('Workshops for two', 'Les ateliers à deux'),
        say('A tree with your name', 'Un arbre à votre nom'),
      ],
    },
  ];
  const columns = all.map(
    ({ name, price, best, button, lines }) => `<div class="col-md-4">
<div class="card text-center${best ? ' s_best' : ''}">
<div class="card-body">
<h3>${name}</h3>
<p class="s_price">${price}</p>
<ul class="list-unstyled">${lines.map((line) => `<li>${line}</li>`).join('')}</ul>
<p><a class="btn ${best ? 'btn-primary' : 'btn-outline-primary'}" href="/contactus">${button}</a></p>
</div>
</div>
</div>`,
  );
  return `<section class="s_comparisons py-5" data-name="website.comparisons">
<div class="container">
<h2 class="text-center mb-4">${say('Join us', 'Rejoignez-nous')}</h2>
<div class="row g-4 align-items-center">
${columns.join('\n')}
</div>
</div>
</section>`;
}

/** Activities of the house. */
export const activities = both((say) => [
  pageTitle(
    say('What we do', 'Nos activités'),
    say(
      'Dig, repair, set out: there’s something every week, and no one has to be good at it.',
      'Bêcher, réparer, partir\u00a0: chaque semaine a son rendez-vous, et nul besoin d’être doué.',
    ),
  ),
  textAndPicture(say, {
    id: 'garden',
    side: 'end',
    picture: 'orchard',
    title: say('The garden', 'Le jardin'),
    text: [
      say(
        'Four plots between the mill stream and the railway: vegetables, herbs, berries, and an orchard of forty-one apple trees of nineteen kinds, some of which no longer grow anywhere else.',
        'Quatre parcelles entre le bief et la voie ferrée\u00a0: légumes, simples, petits fruits, et un verger de quarante et un pommiers de dix-neuf variétés, dont certaines ne poussent plus nulle part ailleurs.',
      ),
      say(
        'Garden day is Saturday from ten. Gloves in all sizes hang behind the door; soup is at one.',
        'Le jardin, c’est le samedi dès dix heures. Des gants de toutes tailles pendent derrière la porte\u00a0; la soupe est à treize heures.',
      ),
    ],
    buttons: [{ text: say('See garden days', 'Voir les dates'), href: '/calendar' }],
  }),
  textAndPicture(say, {
    id: 'workshop',
    side: 'start',
    soft: true,
    picture: 'workshop',
    title: say('The workshop', 'L’atelier'),
    text: [
      say(
        'Wood, metal, cloth and paper, each with its own bench. On repair evenings you bring something broken and leave with it working, and with the knack of fixing it.',
        'Bois, métal, tissu et papier ont chacun leur établi. Les soirs de réparation, on apporte ce qui est cassé et l’on repart avec ce qui ne l’est plus, et le tour de main en prime.',
      ),
      say(
        'Courses have six places, so everyone gets their hands on the tools.',
        'Les stages comptent six places, pour que chacun ait l’outil en main.',
      ),
    ],
    buttons: [{ text: say('Book a place', 'Réserver une place'), href: '/contactus' }],
  }),
  textAndPicture(say, {
    id: 'excursions',
    side: 'end',
    picture: 'coast',
    title: say('Excursions', 'Les excursions'),
    text: [
      say(
        'The sea in May, the ridge in October, and one long weekend that is decided by a show of hands. We travel by train and walk the rest.',
        'La mer en mai, la crête en octobre, et un long week-end voté à main levée. Nous prenons le train et faisons le reste à pied.',
      ),
      say(
        'The slowest sets the pace, and carries nothing but the map.',
        'Le plus lent donne l’allure, et ne porte que la carte.',
      ),
    ],
  }),
  parallax(say, {
    picture: 'hills',
    title: say('The best view is behind the next hill', 'La plus belle vue est derrière la prochaine colline'),
    text: say('Walk with us on the first Sunday of the month.', 'Marchez avec nous le premier dimanche du mois.'),
  }),
  memberships(say),
  bigMessage(
    say('Come and try it', 'Venez essayer'),
    say('The first time is on us, whatever it is.', 'La première fois est offerte, quoi que vous choisissiez.'),
    [
      { text: say('See what’s on', 'Voir l’agenda'), href: '/calendar' },
      { text: say('Write to us', 'Nous écrire'), href: '/contactus' },
    ],
  ),
]);
