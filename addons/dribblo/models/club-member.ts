import { f, type Id, type Ids, InvalidInput, model } from '#core';
import { isProtected, publicName } from '../services/names.ts';

/** Somebody of the club: player, coach or helper. What is personal is seen by the club's managers alone. */
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
    consent_birthday: f.boolean({ label: 'Birthday may be shown', help: 'Day and month, never the year' }),
    guardian_ids: f.one2many('club.guardian', 'member_id', { label: 'Guardians' }),
    public_name: f.char({ compute: 'publicNames', label: 'Name on the website' }),
    active: f.boolean({ default: true }),
  },
  {
    order: 'partner_id, id',
    nameField: 'name',
    label: 'Member',
    unique: [
      { fields: ['partner_id'], message: 'This contact is a member already.' },
      { fields: ['licence'], message: 'Another member has this licence number.' },
    ],
  },
) {
  /** Month and day as `11-21`: what birthdays are looked up by. */
  async birthDays(ids: Ids): Promise<Map<Id, string | null>> {
    const rows = await this.read(ids, { select: { birth_date: true } });
    return new Map(rows.map(({ id, birth_date }) => [id, birth_date?.slice(5) ?? null]));
  }

  /** How each is called on the website: children by first name and initial, unless a guardian agreed to more. */
  async publicNames(ids: Ids): Promise<Map<Id, string>> {
    const today = this.ctx.today();
    // Callers know the members; their guardians' consent is looked up for them, and nothing else of it is shown.
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
      const message = 'Nobody was born on this day.';
      throw new InvalidInput(message, { code: 'dribblo.bad_birth_date', fields: { birth_date: message } });
    }
  }
}

declare module '#core' {
  interface Models {
    'club.member': Member;
  }
}
