import { article, both, type Content, cards, type Picture, pageTitle, picture, placed, type Say } from './markup.ts';

interface Story {
  readonly slug: string;
  readonly picture: Picture;
  readonly title: (say: Say) => string;
  readonly summary: (say: Say) => string;
  readonly text: (say: Say) => readonly string[];
}

const stories: readonly Story[] = [
  {
    slug: 'two-tonnes-of-apples',
    picture: 'orchard',
    title: (say) => say('Two tonnes of apples and one wet Saturday', 'Deux tonnes de pommes et un samedi pluvieux'),
    summary: (say) =>
      say(
        'Sixty people, one press and more juice than there were bottles: how the picking went.',
        'Soixante personnes, un pressoir et plus de jus que de bouteilles\u00a0: récit de la récolte.',
      ),
    text: (say) => [
      `<p class="lead">${say('The forecast had promised sun until noon. It kept its word until twenty past ten.', 'La météo promettait du soleil jusqu’à midi. Elle a tenu parole jusqu’à dix heures vingt.')}</p>`,
      `<p>${say('By then the first three rows were picked, and no one wanted to be the first to go home. So sixty people in borrowed raincoats went on, and at four the last crate stood under the roof: two tonnes and a bit, the best year since we started weighing.', 'Les trois premières rangées étaient déjà cueillies, et personne ne voulait être le premier à rentrer. Soixante personnes en imperméables d’emprunt ont donc continué, et à seize heures la dernière caisse était à l’abri\u00a0: un peu plus de deux tonnes, la meilleure année depuis que nous pesons.')}</p>`,
      `<h2>${say('Thirteen hundred litres', 'Treize cents litres')}</h2>`,
      `<p>${say('The press ran until dark. We had bottles for eleven hundred litres; for the rest neighbours brought whatever could be closed with a cork. If you still have juice in one of our milk cans, we’d like the can back, no rush.', 'Le pressoir a tourné jusqu’à la nuit. Nous avions des bouteilles pour onze cents litres\u00a0; pour le reste, les voisins ont apporté tout ce qui se bouche. S’il vous reste du jus dans un de nos bidons, nous reprendrons le bidon, sans hâte.')}</p>`,
      `<blockquote><p>${say('I learnt that you can be soaked to the skin and perfectly happy.', 'J’ai appris que l’on peut être trempé jusqu’aux os et parfaitement heureux.')}</p></blockquote>`,
      `<p>${say('The juice is on the shelf in the hall, three euros a bottle, and goes towards a roof over the press.', 'Le jus vous attend sur l’étagère de l’entrée, trois euros la bouteille, au profit d’un toit pour le pressoir.')}</p>`,
    ],
  },
  {
    slug: 'the-library-of-things',
    picture: 'workshop',
    title: (say) => say('Number 640 is a telescope', 'Le numéro 640 est un télescope'),
    summary: (say) =>
      say(
        'The library of things has a new shelf, and the shelf has a waiting list.',
        'La bibliothèque d’objets a une nouvelle étagère, et l’étagère une liste d’attente.',
      ),
    text: (say) => [
      `<p class="lead">${say('It came in a pram, under a blanket, and with instructions in three languages, none of them ours.', 'Il est arrivé dans un landau, sous une couverture, avec un mode d’emploi en trois langues, dont aucune n’est la nôtre.')}</p>`,
      `<p>${say('The telescope is the six hundred and fortieth thing you can borrow from us. It goes out for four nights at a time; whoever takes it writes down what they saw. So far: the moon, four times; Jupiter, twice; the kitchen of the Benali family, once, by mistake.', 'Le télescope est le six cent quarantième objet que l’on peut nous emprunter. Il part pour quatre nuits\u00a0; qui le prend note ce qu’il a vu. À ce jour\u00a0: la lune, quatre fois\u00a0; Jupiter, deux fois\u00a0; la cuisine des Benali, une fois, par erreur.')}</p>`,
      `<h2>${say('How borrowing works', 'Comment emprunter')}</h2>`,
      `<ul><li>${say('Members borrow free of charge, friends for a euro.', 'Gratuit pour les membres, un euro pour les amis.')}</li><li>${say('A week for tools, two for tents, four nights for the sky.', 'Une semaine pour les outils, deux pour les tentes, quatre nuits pour le ciel.')}</li><li>${say('If something breaks, we repair it together: that’s what the workshop is for.', 'Ce qui casse se répare ensemble\u00a0: l’atelier est là pour cela.')}</li></ul>`,
    ],
  },
  {
    slug: 'a-stove-for-the-winter',
    picture: 'winter',
    title: (say) => say('A stove for the winter', 'Un poêle pour l’hiver'),
    summary: (say) =>
      say(
        'The hall is warm. Thank you to the hundred and four people who paid for it.',
        'La salle est chaude. Merci aux cent quatre personnes qui l’ont payé.',
      ),
    text: (say) => [
      `<p class="lead">${say('For eleven winters we sang in coats. On Thursday, for the first time, someone opened a window.', 'Onze hivers durant, nous avons chanté en manteau. Jeudi, pour la première fois, quelqu’un a ouvert une fenêtre.')}</p>`,
      `<p>${say('The stove burns what the orchard and the town’s hedges give. A hundred and four people put in between two and two hundred euros, and Alder &amp; Co. lent a chimney sweep and a crane.', 'Le poêle brûle ce que donnent le verger et les haies de la commune. Cent quatre personnes ont versé de deux à deux cents euros, et Alder &amp; Co. a prêté un ramoneur et une grue.')}</p>`,
      `<p>${say('Open evenings stay on Thursdays at half past six. Bring a log if you pass one.', 'Les soirées ouvertes restent le jeudi à dix-huit heures trente. Apportez une bûche si vous en croisez une.')}</p>`,
    ],
  },
];

/** Front page of the journal: stories as cards. */
export const journal = both((say) => [
  pageTitle(
    say('Journal', 'Le journal'),
    say(
      'What happened, what we’re building and what went wrong, told by the people who were there.',
      'Ce qui s’est passé, ce qui se construit et ce qui a raté, raconté par ceux qui y étaient.',
    ),
  ),
  cards(
    say,
    stories.map((story) => ({
      picture: story.picture,
      title: story.title(say),
      text: story.summary(say),
      href: `/journal/${story.slug}`,
    })),
    'h2',
  ),
]);

/** Pages of the stories. */
export const storyPages: readonly {
  readonly slug: string;
  readonly name: Content;
  readonly summary: Content;
  readonly picture: string;
  readonly content: Content;
}[] = stories.map((story) => ({
  slug: story.slug,
  picture: `/website/static/pictures/${story.picture}.jpg`,
  name: both((say) => [story.title(say)]),
  summary: both((say) => [story.summary(say)]),
  content: both((say) => [
    pageTitle(story.title(say), story.summary(say), `<a href="/journal">${say('Journal', 'Le journal')}</a>`),
    article(picture(say, story.picture, { class: 's_picture', eager: true }), ...story.text(say)),
    placed('website.share'),
  ]),
}));
