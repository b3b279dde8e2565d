import { both, type Picture, pageTitle, picture, placed } from './markup.ts';

const album: readonly (readonly [Picture, string, string])[] = [
  ['pergola', 'The arbour in June', 'La tonnelle en juin'],
  ['orchard', 'The orchard, a week before the picking', 'Le verger, une semaine avant la récolte'],
  ['workshop', 'The bench by the window', 'L’établi près de la fenêtre'],
  ['coast', 'Excursion to the lighthouse', 'Excursion au phare'],
  ['village', 'Val-Fleuri from the church tower', 'Val-Fleuri vu du clocher'],
  ['winter', 'The first snow on the ridge', 'Première neige sur la crête'],
  ['hills', 'Six in the morning, Sunday walk', 'Six heures du matin, la balade du dimanche'],
  ['leaves', 'In the hedge', 'Dans la haie'],
];

export const gallery = both((say) => [
  pageTitle(
    say('Gallery', 'Galerie'),
    say('The year in pictures. Select one to enlarge it.', 'L’année en images. Touchez une image pour l’agrandir.'),
  ),
  `<section class="s_gallery_section py-5" data-name="website.gallery">
<div class="container">
<div class="s_gallery s_four">
${album
  .map(
    ([name, english, french]) =>
      `<figure><a href="/website/static/pictures/${name}.jpg">${picture(say, name, { alt: say(english, french) })}</a></figure>`,
  )
  .join('\n')}
</div>
</div>
</section>`,
]);

export const calendarPage = both((say) => [
  pageTitle(
    say('What’s on', 'Agenda'),
    say(
      'Everyone is welcome at every event. We’ll tell you when places are limited.',
      'Tout le monde est bienvenu. Nous vous prévenons quand les places sont limitées.',
    ),
  ),
  `<section class="py-5" data-name="website.calendar">
<div class="container">
${placed('website.calendar')}
</div>
</section>`,
]);

export const countries = both((say) => [
  pageTitle(
    say('Countries by currency', 'Pays par devise'),
    say(
      'Friends of the house write to us from all over the world. This board shows the currency of each country.',
      'Les amis de la maison nous écrivent du monde entier. Ce tableau montre la devise de chaque pays.',
    ),
  ),
  placed('website.country_board'),
]);

export const contact = both((say) => [
  pageTitle(
    say('Contact us', 'Contactez-nous'),
    say(
      'Write, call, or simply ring the bell: it’s the one with the long rope.',
      'Écrivez, appelez, ou sonnez tout simplement\u00a0: c’est la cloche à la longue corde.',
    ),
  ),
  `<section class="py-5" data-name="Contact form">
<div class="container">
<div class="row g-5">
<div class="col-lg-7">
<h2>${say('Write to us', 'Nous écrire')}</h2>
<p>${say('We reply within two working days, usually the same evening.', 'Nous répondons sous deux jours ouvrés, le plus souvent le soir même.')}</p>
${placed('website.contact_form')}
</div>
<div class="col-lg-5">
<div class="s_box">
<h2 class="h4" translate="no">La Tonnelle</h2>
<address translate="no">4 chemin du Moulin<br>25290 Val-Fleuri<br>France</address>
<p><a href="tel:+33353012468">+33 3 53 01 24 68</a><br><a href="mailto:bonjour@latonnelle.example">bonjour@latonnelle.example</a></p>
<h3 class="h5">${say('Opening hours', 'Horaires')}</h3>
<table class="table table-sm mb-0">
<tbody>
<tr><th scope="row">${say('Tuesday to Friday', 'Du mardi au vendredi')}</th><td>${say('9–12, 14–18', '9 h–12 h, 14 h–18 h')}</td></tr>
<tr><th scope="row">${say('Thursday evening', 'Jeudi soir')}</th><td>${say('until 22', 'jusqu’à 22 h')}</td></tr>
<tr><th scope="row">${say('Saturday', 'Samedi')}</th><td>${say('10–16', '10 h–16 h')}</td></tr>
</tbody>
</table>
</div>
<div class="s_box mt-4">
<h3 class="h5">${say('Getting here', 'Venir')}</h3>
<p>${say('Five minutes on foot from the station. There are stands for forty bicycles and two places for wheelchair users right at the door.', 'À cinq minutes à pied de la gare. Quarante vélos trouvent place devant la maison, et deux emplacements sont réservés aux personnes à mobilité réduite.')}</p>
</div>
</div>
</div>
</div>
</section>`,
]);

export const legal = both((say) => [
  pageTitle(
    say('Legal notice and privacy', 'Mentions légales et confidentialité'),
    say('Who is behind this site, and what it keeps about you.', 'Qui édite ce site, et ce qu’il conserve de vous.'),
  ),
  `<section class="py-5" data-name="website.text_block">
<div class="container">
<div class="prose mx-auto site-article">
<p class="alert alert-info">${say('La Tonnelle is an example: the house, its people and its address are made up. Replace this page before your site goes public.', 'La Tonnelle est un exemple\u00a0: la maison, ses membres et son adresse sont inventés. Remplacez cette page avant de mettre votre site en ligne.')}</p>
<h2>${say('Publisher', 'Éditeur')}</h2>
<p>La Tonnelle, ${say('association under the law of 1901, 4 chemin du Moulin, 25290 Val-Fleuri, France. Responsible for the content: Jeanne Moreau-Petit, chair.', 'association loi 1901, 4 chemin du Moulin, 25290 Val-Fleuri, France. Directrice de la publication\u00a0: Jeanne Moreau-Petit, présidente.')}</p>
<h2>${say('Hosting', 'Hébergement')}</h2>
<p>${say('On the association’s own computer, at the same address.', 'Sur l’ordinateur de l’association, à la même adresse.')}</p>
<h2>${say('Personal data', 'Données personnelles')}</h2>
<p>${say('What you send through the contact form reaches us by email. We only use it to reply to you, and delete it a year later. An account keeps your name, your email address and what you do with it until you have it deleted.', 'Ce que vous envoyez par le formulaire nous parvient par e-mail et ne sert qu’à vous répondre\u00a0; nous l’effaçons au bout d’un an. Un compte conserve votre nom, votre adresse e-mail et ce que vous en faites, jusqu’à ce que vous le fassiez supprimer.')}</p>
<h2>${say('Cookies', 'Les cookies')}</h2>
<p>${say('Your choice of language, and a session while you are signed in or have something in the cart. Nothing is loaded from third parties unless you click on it, and no one tracks you.', 'Votre choix de langue, et une session tant que vous êtes connecté ou que votre panier n’est pas vide. Rien n’est chargé chez des tiers sans un clic de votre part, et personne ne vous piste.')}</p>
<h2>${say('Your rights', 'Vos droits')}</h2>
<p>${say('You can ask what we keep about you, and have it corrected or deleted: write to', 'Vous pouvez demander quelles données nous conservons, les faire corriger ou supprimer\u00a0: écrivez à')} <a href="mailto:bonjour@latonnelle.example">bonjour@latonnelle.example</a>.</p>
</div>
</div>
</section>`,
]);
