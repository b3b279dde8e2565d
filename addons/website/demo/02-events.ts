import { readFile } from 'node:fs/promises';
import { type Ctx, data, momentAt, mondayOf, plusDays, ref } from 'pergola';
import sharp from 'sharp';
import { CalendarEvent } from '../calendar/models/calendar-event.ts';
import { CalendarPartner } from '../calendar/models/res-partner.ts';
import { demoTimezone } from '../data/01-website.ts';

/** Three people who agreed to be listed, and one who did not. */
const people = data(CalendarPartner, async (ctx: Ctx) => ({
  demo_jeanne: { ...person('Jeanne Moreau-Petit', 'jeanne'), image: await face(ctx, 'jeanne') },
  demo_karim: { ...person('Karim Benali', 'karim'), image: await face(ctx, 'karim') },
  demo_amelie: { ...person('Amélie Laurent', 'amelie'), image: await face(ctx, 'amelie') },
  demo_paul: { ...person('Paul Girard', 'paul'), calendar_public: false },
}));

function person(name: string, mailbox: string) {
  return {
    name,
    email: `${mailbox}@latonnelle.example`,
    parent_id: ref('base.main_partner'),
    city: 'Val-Fleuri',
    country_id: ref('base.fr'),
    calendar_public: true,
  };
}

async function face(ctx: Ctx, name: string) {
  const drawing = await readFile(new URL(`../static/people/${name}.svg`, import.meta.url));
  const picture = await sharp(drawing, { density: 200 }).resize(256, 256).png().toBuffer();
  return ctx.files.putImage(picture, { name: `${name}.png` });
}

interface Plan {
  readonly name: readonly [string, string];
  /** Days after Monday of the current week. */
  readonly days: readonly number[];
  /** Time such as `10:00`, or null for all-day events. */
  readonly from: string | null;
  readonly to: string | null;
  /** Number of days of an all-day event. */
  readonly length?: number;
  readonly where: readonly [string, string];
  readonly who: readonly string[];
  readonly color: number;
  readonly about: readonly [string, string];
  readonly internal?: boolean;
}

const weekly = (day: number, from = -4, to = 10): number[] =>
  Array.from({ length: to - from + 1 }, (_, week) => (from + week) * 7 + day);

const garden = ['The garden', 'Le jardin'] as const;
const hall = ['The hall', 'La salle'] as const;
const workshop = ['The workshop', 'L’atelier'] as const;

/** Events of the house in the weeks around the day the demo is loaded. */
const plans: Readonly<Record<string, Plan>> = {
  garden_day: {
    name: ['Garden day', 'Journée au jardin'],
    days: weekly(5),
    from: '10:00',
    to: '16:00',
    where: garden,
    who: ['demo_karim', 'demo_paul'],
    color: 11,
    about: ['Soup at one, gloves in all sizes.', 'Soupe à treize heures, gants de toutes tailles.'],
  },
  open_evening: {
    name: ['Open evening', 'Soirée ouverte'],
    days: weekly(3),
    from: '18:30',
    to: '22:00',
    where: hall,
    who: ['demo_jeanne', 'demo_amelie'],
    color: 6,
    about: ['Open to everyone. The stove is lit from six.', 'Pour tous\u00a0; le poêle chauffe dès dix-huit heures.'],
  },
  repair_evening: {
    name: ['Repair evening', 'Soirée réparation'],
    days: weekly(1),
    from: '19:00',
    to: '21:30',
    where: workshop,
    who: ['demo_amelie'],
    color: 16,
    about: ['Bring anything that’s broken.', 'Apportez ce qui est cassé.'],
  },
  tool_check: {
    name: ['Tools back on their hooks', 'Outils au crochet'],
    days: weekly(4),
    from: '17:30',
    to: '18:00',
    where: workshop,
    who: ['demo_amelie', 'demo_paul'],
    color: 21,
    about: ['Ten minutes, then tea.', 'Dix minutes, puis le thé.'],
  },
  choir: {
    name: ['Choir', 'Chorale'],
    days: weekly(0, -4, 10).filter((_, week) => week % 2 === 0),
    from: '20:00',
    to: null,
    where: hall,
    who: ['demo_jeanne'],
    color: 2,
    about: ['No auditions.', 'Sans audition.'],
  },
  walk: {
    name: ['Sunday walk', 'Balade du dimanche'],
    days: [-22, 6, 34, 62],
    from: '09:00',
    to: '15:00',
    where: ['The station', 'La gare'],
    who: ['demo_karim'],
    color: 14,
    about: ['Sturdy shoes; back for cake.', 'Bonnes chaussures\u00a0; retour pour le gâteau.'],
  },
  bookbinding: {
    name: ['Bookbinding for beginners', 'Reliure pour débutants'],
    days: [2, 9, 16],
    from: '14:00',
    to: '17:00',
    where: workshop,
    who: ['demo_jeanne'],
    color: 20,
    about: ['Six places.', 'Six places.'],
  },
  fair: {
    name: ['Seed fair', 'Bourse aux graines'],
    days: [12],
    from: null,
    to: null,
    length: 2,
    where: hall,
    who: ['demo_karim', 'demo_jeanne', 'demo_amelie'],
    color: 9,
    about: ['Bring seeds, take seeds.', 'Apportez des graines, emportez-en.'],
  },
  excursion: {
    name: ['Excursion to the sea', 'Excursion à la mer'],
    days: [25],
    from: null,
    to: null,
    length: 3,
    where: ['By train', 'En train'],
    who: ['demo_amelie', 'demo_karim'],
    color: 4,
    about: ['Two nights at the lighthouse.', 'Deux nuits au phare.'],
  },
  board: {
    name: ['Board meeting', 'Réunion du bureau'],
    days: [1, 29],
    from: '17:00',
    to: '18:30',
    where: ['The kitchen', 'La cuisine'],
    who: ['demo_jeanne', 'demo_karim', 'demo_amelie', 'demo_paul'],
    color: 24,
    about: ['The budget, again.', 'Le budget, encore.'],
    internal: true,
  },
};

const events = data(CalendarEvent, async (ctx: Ctx) => {
  const monday = mondayOf(ctx.today(demoTimezone));
  return Object.fromEntries(
    Object.entries(plans).flatMap(([key, plan]) =>
      plan.days.map((days, index) => [`demo_event_${key}_${index + 1}`, eventOn(plan, plusDays(monday, days))]),
    ),
  );
});

function eventOn(
  { name, from, to, length = 1, where, who: attendees, color, about: description, internal }: Plan,
  day: string,
) {
  const [start, stop] =
    from === null
      ? [new Date(`${day}T00:00:00Z`), new Date(`${plusDays(day, length)}T00:00:00Z`)]
      : [momentAt(day, from, demoTimezone), to === null ? null : momentAt(day, to, demoTimezone)];
  const translated = ([english, french]: readonly [string, string]) => ({ en_US: english, fr_FR: french });
  return {
    name: translated(name),
    start,
    stop,
    allday: from === null,
    location: translated(where),
    description: translated(description),
    color,
    public: !internal,
    attendee_ids: attendees.map((key) => ref(key)),
    contact_ids: [{ create: { partner_id: ref('base.main_partner'), sequence: 1 } }],
  };
}

export default [people, events];
