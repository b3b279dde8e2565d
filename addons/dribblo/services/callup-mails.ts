import { app, type Ctx, type Id, type Ids, service, TooMany } from 'pergola';
import { Partner } from '#addons/base';
import { callUpMail } from '../mails/callup.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { ageOn, FULL_NAME_AGE, Member } from '../models/club-member.ts';
import { callUpToken } from './callup-links.ts';

/** Somebody who gets the mail of a call-up. */
export interface CalledContact {
  readonly line: Id;
  readonly partner: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
  /** Who is called up. */
  readonly member: string;
  /** Whether it is the member themself, or somebody who answers for a child. */
  readonly isGuardian: boolean;
}

/** The mails of call-ups. */
export class CallUpMails extends service('dribblo.callup_mails', { ctx: app.ctx }) {
  /**
   * Who gets mail for some lines: the members themselves, and for those under 16 their guardians instead. Lines without anybody who has an address
   * are left out.
   */
  async contacts(lines: Ids): Promise<CalledContact[]> {
    const today = this.ctx.today(this.ctx.siteTimezone);
    const rows = await this.ctx.model(ConvocationLine).read(lines, { select: { member_id: true } });
    const members = await this.ctx.model(Member).read(
      rows.map(({ member_id }) => member_id),
      { select: { name: true, partner_id: true, birth_date: true, guardian_ids: { partner_id: true } } },
    );
    const wanted = rows.flatMap(({ id, member_id }) => {
      const member = members.find((one) => one.id === member_id);
      if (!member) return [];
      const isChild = member.guardian_ids.length > 0 && isYoung(member.birth_date, today);
      const partners = isChild ? member.guardian_ids.map(({ partner_id }) => partner_id) : [member.partner_id];
      return partners.map((partner) => ({ line: id, partner, member: member.name ?? '', isGuardian: isChild }));
    });
    const partners = await this.ctx.model(Partner).read([...new Set(wanted.map(({ partner }) => partner))], {
      select: { name: true, email: true, lang: true },
    });
    return wanted.flatMap((one) => {
      const contact = partners.find(({ id }) => id === one.partner);
      return contact?.email ? [{ ...one, email: contact.email, name: contact.name, lang: contact.lang }] : [];
    });
  }

  /** Sends the mails of some lines; `round` is the same for all that were asked for at once. */
  async send(lines: Ids, round: string): Promise<void> {
    const mails = new Map<Id, Id[]>();
    for (const contact of await this.contacts(lines)) {
      // Place and note are written in the reader's language, like the mail around them.
      const about = await aboutOf(contact.lang ? this.ctx.as({ lang: contact.lang }) : this.ctx, contact.line);
      const mail = about && (await this.#sendTo(contact, about, round));
      if (mail) mails.set(contact.line, [...(mails.get(contact.line) ?? []), mail]);
    }
    for (const [line, mail_ids] of mails)
      await this.ctx.model(ConvocationLine).write(line, { mail_ids, mail_date: new Date(this.ctx.now().getTime()) });
  }

  /** Queues the mail to one contact. @returns its row of the outbox; null if none was queued */
  async #sendTo(contact: CalledContact, about: About, round: string): Promise<Id | null> {
    const { ctx } = this;
    try {
      const mail = await ctx.mail.send(callUpMail, {
        to: { email: contact.email, name: contact.name, ...(contact.lang ? { lang: contact.lang } : {}) },
        values: {
          title: about.match.display_name,
          name: contact.name,
          member: contact.member,
          isGuardian: contact.isGuardian,
          team: about.team_id?.name ?? '',
          start: about.match.start_datetime,
          timezone: about.timezone,
          venue: about.match.venue_id?.name ?? '',
          meeting: about.meeting_datetime,
          place: about.meeting_place ?? '',
          note: about.note ?? '',
          path: `/convocations/answer/${callUpToken(ctx, contact)}`,
        },
        // Once for each contact and round, whatever becomes of the job.
        key: `callup-${contact.line}-${contact.partner}-${round}`,
      });
      return mail?.id ?? null;
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      ctx.log.warn({ line: contact.line }, 'A call-up was not mailed: the address had too many already');
      return null;
    }
  }
}

type About = NonNullable<Awaited<ReturnType<typeof aboutOf>>>;

/** What the mail of a line says of the call-up. */
async function aboutOf(ctx: Ctx, line: Id) {
  const { convocation_id: call } = await ctx.model(ConvocationLine).get(line, {
    select: {
      convocation_id: {
        meeting_datetime: true,
        meeting_place: true,
        note: true,
        team_id: { name: true },
        match_id: { display_name: true, start_datetime: true, venue_id: { name: true } },
      },
    },
  });
  return call?.match_id ? { ...call, match: call.match_id, timezone: ctx.siteTimezone } : null;
}

/** Who has guardians and an unknown age is a child as well. */
function isYoung(birthDate: string | null, today: string): boolean {
  return birthDate === null || ageOn(birthDate, today) < FULL_NAME_AGE;
}
