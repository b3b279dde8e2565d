import { both, faq, placed, type Say } from './markup.ts';

/** Hero section with a background image, overlay and curved edge. */
function opening(say: Say): string {
  return `<section class="s_hero o-veil-dark o-bottom-curve" data-name="website.hero">
<img class="o-behind o-place-bottom" src="/website/static/pictures/orchard.jpg" alt="" role="presentation" width="1200" height="800">
<div class="container text-center">
<h1 class="s_display">${say('Become a member', 'Devenir membre')}</h1>
<p class="lead s_measure">${say('Two hours a week, a key to the garden, and ninety people who know your name.', 'Deux heures par semaine, une clé du jardin, et quatre-vingt-dix personnes qui connaissent votre nom.')}</p>
</div>
</section>`;
}

function steps(say: Say): string {
  const all = [
    [
      say('Write to us', 'Écrivez-nous'),
      say('The form below takes two minutes.', 'Le formulaire ci-dessous prend deux minutes.'),
    ],
    [
      say('Come to an open evening', 'Venez à une soirée ouverte'),
      say('Thursdays at six, in the barn.', 'Le jeudi à 18 heures, dans la grange.'),
    ],
    [
      say('Choose your corner', 'Choisissez votre coin'),
      say(
        'Garden, workshop or kitchen: there’s plenty to do everywhere.',
        'Jardin, atelier ou cuisine\u00a0: il y a du travail partout.',
      ),
    ],
  ];
  const items = all.map(([title, text]) => `<li><h3>${title}</h3><p>${text}</p></li>`);
  return `<section class="s_steps_section py-5" data-name="website.steps">
<div class="container">
<h2>${say('How it works', 'Comment cela se passe')}</h2>
<ol class="s_steps">${items.join('')}</ol>
</div>
</section>`;
}

function prices(say: Say): string {
  const yes = say('Yes', 'Oui');
  const rows = [
    [say('The library', 'La bibliothèque'), yes, yes, yes],
    [say('Workshops per year', 'Ateliers par an'), '–', '2', '6'],
    [say('A key to the garden', 'Une clé du jardin'), '–', yes, yes],
    [say('Per month', 'Par mois'), say('Free', 'Gratuit'), say('€5', '5\u00a0€'), say('€20', '20\u00a0€')],
  ];
  const lines = rows.map(
    ([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  const heads = [say('Friend', 'Ami'), say('Member', 'Membre'), say('Patron', 'Mécène')];
  return `<section class="s_price_table py-5 s_tone_soft" data-name="website.price_table">
<div class="container">
<h2>${say('Prices and benefits', 'Tarifs et avantages')}</h2>
<div class="table-responsive"><table class="table">
<thead><tr><td></td>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${lines.join('')}</tbody>
</table></div>
</div>
</section>`;
}

/** Membership page, with the form managed in the backend. */
export const join = both((say) => [
  opening(say),
  steps(say),
  prices(say),
  faq(say('Frequently asked questions', 'Questions fréquentes'), [
    [
      say('Can I cancel?', 'Puis-je arrêter\u00a0?'),
      say('Any time. Just drop us a line.', 'À tout moment, par un mot.'),
    ],
    [
      say('What if I don’t have time?', 'Et si je manque de temps\u00a0?'),
      say('Become a friend instead: it’s free.', 'Devenez ami\u00a0: c’est gratuit.'),
    ],
  ]),
  placed('website.form', { title: say('Write to us', 'Écrivez-nous') }),
]);
