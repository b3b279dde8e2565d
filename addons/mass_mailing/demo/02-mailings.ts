import { type Ctx, data, type FileRef, ref } from 'pergola';
import sharp from 'sharp';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';

const day = 86_400_000;

/** Garden beds in the evening sun. */
const garden = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="420" viewBox="0 0 1200 420">
<rect width="1200" height="420" fill="#f3e6c8"/><circle cx="930" cy="130" r="70" fill="#e9a23b"/>
<path d="M0 250Q300 150 620 235T1200 205V420H0Z" fill="#a9c6a1"/><path d="M0 310Q420 230 780 300T1200 275V420H0Z" fill="#5f9c76"/>
<path d="M0 365Q380 310 720 350T1200 340V420H0Z" fill="#1f6b4a"/>
<g stroke="#1d2521" stroke-width="10" stroke-linecap="round"><path d="M250 300V160M420 300V160M235 165H435M300 165V150M340 165V150M380 165V150"/></g>
<g fill="#c8553d">${[270, 310, 352, 398].map((x, index) => `<circle cx="${x}" cy="${185 + (index % 2) * 16}" r="11"/>`).join('')}</g></svg>`;

async function picture(ctx: Ctx): Promise<FileRef> {
  const png = await sharp(Buffer.from(garden)).png().toBuffer();
  return ctx.files.putImage(png, { name: 'garden.png' });
}

const spring = {
  en_US: `<p>Dear {{first_name|friend}},</p>
<p>The beds are full and the long table is set again: <strong>on Saturday we open the gate</strong> to anyone who wants to look around, taste or lend a hand.</p>
<ul><li>From 10: the garden, with the people who look after it</li><li>At noon: soup for everyone</li><li>From 14: the workshop repairs what you bring</li></ul>
<p>Come as you are, and bring a friend.</p>`,
  fr_FR: `<p>Bonjour {{first_name|à vous}},</p>
<p>les planches sont pleines et la grande table est de nouveau dressée\u00a0: <strong>samedi, nous ouvrons le portail</strong> à tous ceux qui veulent voir, goûter ou donner un coup de main.</p>
<ul><li>Dès 10 h\u00a0: le jardin, avec celles et ceux qui s’en occupent</li><li>À midi\u00a0: la soupe pour tous</li><li>Dès 14 h\u00a0: l’atelier répare ce que vous apportez</li></ul>
<p>Venez comme vous êtes, et venez accompagnés.</p>`,
};

const winter = {
  en_US: `<p>Dear {{name|reader}}, thank you for a year of soup, seeds and mended bicycles. Here’s what we’ll remember, and what comes next.</p>`,
  fr_FR: `<p>Bonjour {{name|à vous}}, merci pour cette année de soupe, de graines et de vélos réparés. Voici ce que nous en gardons, et ce qui vient.</p>`,
};

const readers = ['amelie', 'bruno', 'claire', 'david', 'elena', 'farid', 'grace'] as const;

export default [
  data(Mailing, async (ctx) => ({
    open_day: {
      name: { en_US: 'The garden opens on Saturday', fr_FR: 'Le jardin ouvre samedi' },
      preheader: { en_US: 'Soup for everyone at noon', fr_FR: 'Soupe pour tous à midi' },
      headline: { en_US: 'Come and see the garden', fr_FR: 'Venez voir le jardin' },
      body_html: spring,
      button_label: { en_US: 'See the day', fr_FR: 'Voir la journée' },
      button_url: '/calendar',
      image: await picture(ctx),
      contact_list_ids: [ref('newsletter'), ref('workshop')],
      test_emails: 'editor@example.com',
    },
    workshop_day: {
      name: { en_US: 'The workshop this month', fr_FR: 'L’atelier ce mois-ci' },
      headline: { en_US: 'Bring what is broken', fr_FR: 'Apportez ce qui est cassé' },
      body_html: {
        en_US: '<p>Lamps, chairs, bicycles: we have the tools, you have the time.</p>',
        fr_FR: '<p>Lampes, chaises, vélos\u00a0: nous avons les outils, vous avez le temps.</p>',
      },
      layout: 'announcement' as const,
      button_label: { en_US: 'Write to us', fr_FR: 'Nous écrire' },
      button_url: '/contactus',
      contact_list_ids: [ref('workshop')],
    },
    year: {
      name: { en_US: 'A year in the garden', fr_FR: 'Une année au jardin' },
      headline: { en_US: 'Thank you', fr_FR: 'Merci' },
      body_html: winter,
      layout: 'letter' as const,
      contact_list_ids: [ref('newsletter')],
      state: 'done' as const,
      started_date: ctx.now().plus(-12 * day - 240_000),
      sent_date: ctx.now().plus(-12 * day),
    },
  })),
  data(MailRecipient, async (ctx) =>
    Object.fromEntries([
      ...readers.map((login) => [
        `year_${login}`,
        {
          mass_mailing_id: ref('year'),
          contact_id: ref(`reader_${login}`),
          email: `${login}@readers.example`,
          state: 'sent' as const,
          sent: ctx.now().plus(-12 * day),
          unsubscribed: login === 'claire' ? ctx.now().plus(-11 * day) : null,
        },
      ]),
      [
        'year_nobody',
        {
          mass_mailing_id: ref('year'),
          email: 'old-address@readers.example',
          state: 'bounced' as const,
          sent: ctx.now().plus(-12 * day),
          bounced: ctx.now().plus(-12 * day + 60_000),
          exception: 'smtp; 550 5.1.1 no such user',
        },
      ],
    ]),
  ),
];
