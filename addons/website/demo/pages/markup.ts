/** Building blocks of the demo pages, as the editor would produce them. */

/** Returns the text for the language being written. */
export type Say = (english: string, french: string) => string;
/** Page content in both languages. */
export type Content = Readonly<Record<'en_US' | 'fr_FR', string>>;

/** Renders a page in English and in French. */
export function both(write: (say: Say) => readonly string[]): Content {
  return { en_US: write((english) => english).join('\n'), fr_FR: write((_, french) => french).join('\n') };
}

const pictures = {
  pergola: [1200, 800, 'A path leads under a pergola full of flowers', 'Une allée passe sous une tonnelle en fleurs'],
  workshop: [
    1200,
    800,
    'A bright room with a work table, plants and books',
    'Un atelier lumineux avec établi, plantes et livres',
  ],
  orchard: [1200, 800, 'Rows of apple trees full of fruit', 'Des rangées de pommiers chargés de fruits'],
  coast: [1200, 800, 'A lighthouse above the sea', 'Un phare au-dessus de la mer'],
  village: [1200, 800, 'The roofs of a small town in the evening', 'Les toits d’une petite ville le soir'],
  winter: [1200, 800, 'Hills under snow and a pale sun', 'Des collines enneigées sous un soleil pâle'],
  hills: [1920, 900, 'Wooded hills in the morning light', 'Des collines boisées dans la lumière du matin'],
  leaves: [1920, 900, 'Dark leaves, one of them bright', 'Un feuillage sombre, une feuille claire'],
} as const;
export type Picture = keyof typeof pictures;

export interface Action {
  readonly text: string;
  readonly href: string;
}

/** Widths of the images' WebP versions. */
const widths = [480, 800, 1200];

/** Image of the site; `eager` for images visible on load. */
export function picture(
  say: Say,
  name: Picture,
  options: { class?: string; alt?: string; eager?: boolean; sizes?: string } = {},
): string {
  const [width, height, english, french] = pictures[name];
  const alt = options.alt ?? say(english, french);
  const css = options.class ? `class="${options.class}" ` : '';
  const loading = options.eager ? ' fetchpriority="high"' : ' loading="lazy"';
  const small = widths.map((side) => `/website/static/pictures/${name}-${side}.webp ${side}w`);
  const set = [...small, ...(width > 1200 ? [`/website/static/pictures/${name}.jpg ${width}w`] : [])].join(', ');
  const { sizes = '(min-width: 992px) 560px, calc(100vw - 36px)' } = options;
  return `<img ${css}src="/website/static/pictures/${name}.jpg" srcset="${set}" sizes="${sizes}" alt="${alt}"${alt ? '' : ' role="presentation"'} width="${width}" height="${height}"${loading}>`;
}

/** Buttons; the first one is primary. */
function actions(buttons: readonly Action[], css = ''): string {
  const links = buttons.map(
    ({ text, href }, index) =>
      `<a class="btn ${index === 0 ? 'btn-primary' : 'btn-outline-primary'} btn-lg" href="${href}">${text}</a>`,
  );
  return `<p class="s_actions${css}">${links.join(' ')}</p>`;
}

/** Banner of the home page. */
export function banner(
  say: Say,
  content: { kicker: string; title: string; lead: string; buttons: readonly Action[]; picture: Picture },
): string {
  return `<section class="s_banner" data-name="website.banner">
<div class="container">
<div class="row align-items-center g-5">
<div class="col-lg-6">
<p class="s_kicker">${content.kicker}</p>
<h1>${content.title}</h1>
<p class="lead">${content.lead}</p>
${actions(content.buttons)}
</div>
<div class="col-lg-6">${picture(say, content.picture, { class: 's_picture', eager: true })}</div>
</div>
</div>
</section>`;
}

/** Title section of all other pages. */
export function pageTitle(title: string, lead: string, kicker?: string): string {
  return `<section class="s_title s_tone_soft site-page-title" data-name="website.title">
<div class="container">
${kicker ? `<p class="s_kicker">${kicker}</p>\n` : ''}<h1>${title}</h1>
<p class="lead">${lead}</p>
</div>
</section>`;
}

/** Heading above a section. */
export function heading(title: string, lead?: string): string {
  return `<section class="s_title pt-5" data-name="website.title">
<div class="container text-center">
<h2>${title}</h2>
${lead ? `<p class="lead text-body-secondary">${lead}</p>` : ''}
</div>
</section>`;
}

/** Text next to an image, which comes first (`start`) or last (`end`). */
export function textAndPicture(
  say: Say,
  section: {
    title: string;
    text: readonly string[];
    picture: Picture;
    side: 'start' | 'end';
    buttons?: readonly Action[];
    soft?: boolean;
    id?: string;
  },
): string {
  const text = `<div class="col-lg-6">
<h2>${section.title}</h2>
${section.text.map((line) => `<p>${line}</p>`).join('\n')}
${section.buttons ? actions(section.buttons).replaceAll(' btn-lg', '') : ''}
</div>`;
  const image = `<div class="col-lg-6">${picture(say, section.picture, { class: 's_picture' })}</div>`;
  const [name, columns] = section.side === 'end' ? ['text_image', [text, image]] : ['image_text', [image, text]];
  const id = section.id ? ` id="${section.id}"` : '';
  return `<section class="s_${name} py-5${section.soft ? ' s_tone_soft' : ''}"${id} data-name="website.${name}">
<div class="container">
<div class="row align-items-center g-5">
${columns.join('\n')}
</div>
</div>
</section>`;
}

/** Three columns with icons. */
export function features(items: readonly { icon: string; title: string; text: string }[]): string {
  const columns = items.map(
    ({ icon, title, text }) =>
      `<div class="col-md-4">\n<div class="s_icon s_icon_${icon}"></div>\n<h2 class="h3">${title}</h2>\n<p>${text}</p>\n</div>`,
  );
  return `<section class="s_features py-5" data-name="website.features">
<div class="container">
<div class="row g-5 text-center">
${columns.join('\n')}
</div>
</div>
</section>`;
}

/** List of items with icons. */
export function featureGrid(title: string, items: readonly { icon: string; title: string; text: string }[]): string {
  const lines = items.map(
    (item) =>
      `<li>\n<div class="s_icon s_icon_${item.icon}"></div>\n<div>\n<h3 class="h5">${item.title}</h3>\n<p>${item.text}</p>\n</div>\n</li>`,
  );
  return `<section class="s_feature_grid s_tone_soft py-5" data-name="website.feature_grid">
<div class="container">
<h2 class="text-center">${title}</h2>
<ul class="list-unstyled s_grid">
${lines.join('\n')}
</ul>
</div>
</section>`;
}

/** Cards with an image each; cards with a URL are links. */
export function cards(
  say: Say,
  items: readonly { picture: Picture; title: string; text: string; href?: string; kicker?: string }[],
  level: 'h2' | 'h3' = 'h3',
): string {
  const columns = items.map(({ picture: name, title, text, href, kicker }) => {
    const link = href ? `<a class="stretched-link site-card-link" href="${href}">${title}</a>` : title;
    return `<div class="col-md-4">
<div class="card h-100">
${picture(say, name, { class: 'card-img-top', ...(href ? { alt: '' } : {}) })}
<div class="card-body">
${kicker ? `<p class="site-card-kicker">${kicker}</p>\n` : ''}<${level} class="h4">${link}</${level}>
<p class="mb-0">${text}</p>
</div>
</div>
</div>`;
  });
  return `<section class="s_three_columns py-5" data-name="website.three_columns">
<div class="container">
<div class="row g-4">
${columns.join('\n')}
</div>
</div>
</section>`;
}

/** Text over a parallax image. */
export function parallax(say: Say, section: { title: string; text: string; picture: Picture }): string {
  return `<section class="s_parallax" data-name="website.parallax" data-opt-ratio="0.6">
${picture(say, section.picture, { class: 's_parallax_picture', alt: '', sizes: '100vw' })}
<div class="container text-center">
<h2 class="s_display">${section.title}</h2>
<p class="lead">${section.text}</p>
</div>
</section>`;
}

/** Slider of testimonials. */
export function quotes(items: readonly { text: string; name: string; about: string; face: string }[]): string {
  const slides = items.map(
    ({ text, name, about: role, face }) => `<div class="slide">
<figure class="container s_measure">
<blockquote>
<p>${text}</p>
</blockquote>
<figcaption><img class="s_person" src="/website/static/people/${face}.svg" alt="" role="presentation" width="48" height="48" loading="lazy"> <span><strong>${name}</strong><br>${role}</span></figcaption>
</figure>
</div>`,
  );
  return `<section class="s_quotes_slider s_slider py-5" data-name="website.quotes_slider" data-opt-interval="10000">
<div class="slides">
${slides.join('\n')}
</div>
</section>`;
}

/** Call to action at the end of a page. */
export function bigMessage(title: string, lead: string, buttons: readonly Action[]): string {
  return `<section class="s_big_message s_tone_strong" data-name="website.big_message">
<div class="container text-center">
<h2 class="s_display">${title}</h2>
<p class="lead">${lead}</p>
${actions(buttons, ' justify-content-center')}
</div>
</section>`;
}

/** Logos of partners. */
export function references(title: string): string {
  const logos = [
    ['alder', 'Alder &amp; Co', 172],
    ['northlight', 'Northlight', 160],
    ['milltown', 'Milltown', 146],
    ['harbour', 'Harbour', 140],
    ['orchid', 'Orchid', 132],
  ];
  const lines = logos.map(
    ([file, name, width]) =>
      `<li><img src="/website/static/logos/${file}.svg" alt="${name}" width="${width}" height="48" loading="lazy"></li>`,
  );
  return `<section class="s_references py-5" data-name="website.references">
<div class="container text-center">
<h2 class="h4 text-body-secondary">${title}</h2>
<ul class="list-unstyled s_logos" translate="no">
${lines.join('\n')}
</ul>
</div>
</section>`;
}

/** Collapsible questions; the first is open. */
export function faq(title: string, items: readonly (readonly [question: string, answer: string])[]): string {
  const lines = items.map(
    ([question, answer], index) =>
      `<details${index === 0 ? ' open' : ''}>\n<summary>${question}</summary>\n<p>${answer}</p>\n</details>`,
  );
  return `<section class="s_faq py-5" data-name="website.faq">
<div class="container">
<div class="s_measure">
<h2>${title}</h2>
${lines.join('\n')}
</div>
</div>
</section>`;
}

/** Running text at a readable width. */
export function article(...paragraphs: readonly string[]): string {
  return `<section class="s_text_block py-5" data-name="website.text_block">
<div class="container">
<div class="prose mx-auto site-article">
${paragraphs.join('\n')}
</div>
</div>
</section>`;
}

/** Block rendered by the server. */
export function placed(block: string, options: object = {}): string {
  const json = JSON.stringify(options).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<div data-block="${block}" data-options="${json}"></div>`;
}

/** Block rendered by the server, within the page margins. */
export function placedWithin(block: string, options: object): string {
  return `<section class="container">${placed(block, options)}</section>`;
}

/** Block rendered by the server on a softer background. If the block's addon is disabled, neither the block nor the background shows. */
export function placedSoft(block: string, options: object): string {
  return `<section class="s_tone_soft">${placed(block, options)}</section>`;
}
