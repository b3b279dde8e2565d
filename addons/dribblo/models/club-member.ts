import { f, fold, type Id, type Ids, InvalidInput, model, mondayOf, NotFound, plusDays } from 'pergola';
import { Category } from './club-category.ts';
import { ConvocationLine } from './club-convocation-line.ts';

/** Age in years from which members are shown with their full name. */
export const FULL_NAME_AGE = 16;

/** Age in whole years on a day; both dates as `2026-11-21`. */
export function ageOn(birthDate: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (day.slice(5) < birthDate.slice(5) ? 1 : 0);
}

/**
 * Whether a member is protected as a child. If the date of birth is unknown, the category decides (`ageLimit`: null for adults, undefined
 * without a category); if both are unknown, the member is protected.
 */
export function isProtected(birthDate: string | null, ageLimit: number | null | undefined, today: string): boolean {
  if (birthDate !== null) return ageOn(birthDate, today) < FULL_NAME_AGE;
  return ageLimit !== null;
}

/** Name as shown on the website: in full, or first name and initial for children (`Léo M.`). */
export function publicName(name: string, isChild: boolean): string {
  const words = name.trim().split(/\s+/u);
  if (!isChild || words.length < 2) return isChild ? (words[0] ?? '') : name.trim();
  const [initial = ''] = words.at(-1) ?? '';
  return `${words[0]} ${initial.toLocaleUpperCase()}.`;
}

/** Range of birthdays: today, this week, or this week and the next two. */
export type Period = 'day' | 'week' | 'three_weeks';
const days: Readonly<Record<Period, number>> = { day: 1, week: 7, three_weeks: 21 };

/** A birthday for display: the day in this year, never the year of birth. */
export interface Birthday {
  readonly name: string;
  readonly category: string;
  readonly day: string;
  readonly isToday: boolean;
}

/** Minimum length of a search text, and maximum number of results. */
const SEARCH_LETTERS = 2;
const SEARCH_RESULTS = 10;
/** Maximum number of members read per search. */
const CANDIDATES = 200;

export interface Suggestion {
  readonly id: Id;
  readonly name: string;
}

/** A club member: player, coach or volunteer. Personal data is only visible to club managers. */
export class Member extends model(
  'club.member',
  {
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Contact' }),
    name: f.char({ related: 'partner_id.name' }),
    email: f.char({ related: 'partner_id.email' }),
    birth_date: f.date({ label: 'Date of birth' }),
    birth_day: f.char({ compute: 'birthDays', depends: ['birth_date'], store: true, index: true, label: 'Birthday' }),
    category_id: f.many2one('club.category', { ondelete: 'restrict', index: true }),
    team_ids: f.many2many('club.team', {
      empty: 'none',
      label: 'Teams',
      relation: { table: 'club_team_member_rel', from: 'member_id', to: 'team_id' },
    }),
    number: f.integer({ min: 1, max: 99, label: 'Shirt number' }),
    position: f.selection({
      goalkeeper: 'Goalkeeper',
      defender: 'Defender',
      midfielder: 'Midfielder',
      forward: 'Forward',
    }),
    licence: f.char({ size: 40, label: 'Licence number' }),
    consent_birthday: f.boolean({ label: 'Birthday can be shown', help: 'Day and month, never the year' }),
    guardian_ids: f.one2many('club.guardian', 'member_id', { label: 'Guardians' }),
    public_name: f.char({ compute: 'publicNames', label: 'Name on the website' }),
    active: f.boolean({ default: true }),
  },
  {
    order: 'partner_id, id',
    nameField: 'name',
    label: 'Member',
    unique: [
      { fields: ['partner_id'], message: 'This contact is already a member.' },
      { fields: ['licence'], message: 'Another member already has this licence number.' },
    ],
  },
) {
  /** Month and day as `11-21`, for finding birthdays. */
  async birthDays(ids: Ids): Promise<Map<Id, string | null>> {
    const rows = await this.read(ids, { select: { birth_date: true } });
    return new Map(rows.map(({ id, birth_date }) => [id, birth_date?.slice(5) ?? null]));
  }

  /** Names for the website: first name and initial for children, unless a guardian has consented to more. */
  async publicNames(ids: Ids): Promise<Map<Id, string>> {
    const today = this.ctx.today();
    // The caller has access to the members; only the guardians' consent is read in addition.
    const rows = await this.ctx
      .sudo()
      .model(Member)
      .read(ids, {
        select: {
          name: true,
          birth_date: true,
          category_id: { age_limit: true },
          guardian_ids: { consent_name: true },
        },
      });
    return new Map(
      rows.map(({ id, name, birth_date, category_id, guardian_ids }) => {
        const consent = guardian_ids.some(({ consent_name }) => consent_name);
        const ageLimit = category_id === null ? undefined : category_id.age_limit;
        return [id, publicName(name ?? '', !consent && isProtected(birth_date, ageLimit, today))];
      }),
    );
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const today = this.ctx.today();
    for (const { birth_date } of await this.read(ids, { select: { birth_date: true } })) {
      if (birth_date === null || (birth_date <= today && birth_date >= '1900-01-01')) continue;
      const message = 'Enter a valid date of birth.';
      throw new InvalidInput(message, { code: 'dribblo.bad_birth_date', fields: { birth_date: message } });
    }
  }

  /**
   * Birthdays of members who consented, by date. Limited to the given categories, if any.
   *
   * @throws NotFound if a category doesn't exist
   */
  async birthdays(categories: Ids, period: Period): Promise<Birthday[]> {
    const categoryIds = [...new Set(categories)];
    if ((await this.ctx.model(Category).count([['id', 'in', categoryIds]])) < categoryIds.length) {
      throw new NotFound('We can’t find that category.', { code: 'dribblo.no_category' });
    }
    const today = this.ctx.today(this.ctx.siteTimezone);
    const range = daysOf(period === 'day' ? today : mondayOf(today), days[period]);
    // Visitors can't read members; only the public name, category and day of consenting members are shown.
    const rows = await this.ctx
      .sudo()
      .model(Member)
      .find(
        [
          ['consent_birthday', '=', true],
          ['active', '=', true],
          ['birth_day', 'in', [...range.keys()]],
          ...(categoryIds.length > 0 ? ([['category_id', 'in', categoryIds]] as const) : []),
        ],
        { select: { public_name: true, birth_day: true, category_id: { name: true } } },
      );
    return rows
      .map(({ public_name, birth_day, category_id }) => {
        const day = range.get(birth_day ?? '') ?? today;
        return { name: public_name ?? '', category: category_id?.name ?? '', day, isToday: day === today };
      })
      .sort((a, b) => a.day.localeCompare(b.day) || a.name.localeCompare(b.name));
  }

  /** Finds members on published call-ups by their public name. Hidden parts of a name can't be searched. */
  async suggest(keyword: string): Promise<Suggestion[]> {
    const search = fold(keyword.trim());
    if (search.length < SEARCH_LETTERS) return [];
    // Visitors can't read members; they only get public names from published call-ups.
    const members = this.ctx.sudo().model(Member);
    const lines = await this.ctx
      .sudo()
      .model(ConvocationLine)
      .group([['convocation_id.website_published', '=', true]], { by: ['member_id'] });
    const ids = lines.map(({ member_id }) => Number(member_id));
    const [first = ''] = search.split(/\s+/);
    const candidates = await members.find(
      [
        ['id', 'in', ids],
        ['partner_id.name', 'ilike', first.replace(/\.$/, '')],
      ],
      { select: { public_name: true }, limit: CANDIDATES },
    );
    return candidates
      .map(({ id, public_name }) => ({ id, name: public_name ?? '' }))
      .filter(({ name }) => fold(name).includes(search))
      .sort((a, b) => a.name.localeCompare(b.name))
      .slice(0, SEARCH_RESULTS);
  }
}

/** Days of a range by month and day. In other years, birthdays on 29 February fall on the 28th. */
function daysOf(first: string, count: number): Map<string, string> {
  const range = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const day = plusDays(first, index);
    range.set(day.slice(5), day);
    if (day.endsWith('-02-28') && plusDays(day, 1).endsWith('-03-01')) range.set('02-29', day);
  }
  return range;
}

declare module 'pergola' {
  interface Models {
    'club.member': Member;
  }
}
