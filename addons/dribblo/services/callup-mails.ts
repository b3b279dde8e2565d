import { Partner } from '@pergola/base';
import { app, type Ctx, type Id, type Ids, service, TooMany } from 'pergola';
import { callUpMail } from '../mails/callup.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { ageOn, FULL_NAME_AGE, Member } from '../models/club-member.ts';
import { callUpToken } from './callup-links.ts';

/** Recipient of a call-up email. */
export interface CalledContact {
  readonly line: Id;
  readonly partner: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
  /** Name of the player. */
  readonly member: string;
  /** Whether the recipient is a guardian rather than the player. */
  readonly isGuardian: boolean;
}

/** Call-up emails. */
export class CallUpMails extends service('dribblo.callup_mails', { ctx: app.ctx }) {
  /** Recipients for some lines: the players, or the guardians of players under 16. Omits lines without an email address. */
  async contacts(lines: Ids): Promise<CalledContact[]> {
    const today = this.ctx.today(this.ctx.siteTimezone);
    const rows = await this.ctx.model(ConvocationLine).read(lines, { select: { member_id: true } });
    const members = await this.ctx.model(Member).read(
      rows.map(({ member_id }) => member_id),
      { select: { name: true, partner_id: true, birth_date: true, guardian_ids: { partner_id: true } } },
    );
    const candidates = rows.flatMap(({ id, member_id }) => {
      const member = members.find((row) => row.id === member_id);
      if (!member) return [];
      const isChild = member.guardian_ids.length > 0 && isUnderage(member.birth_date, today);
      const partners = isChild ? member.guardian_ids.map(({ partner_id }) => partner_id) : [member.partner_id];
      return partners.map((partner) => ({ line: id, partner, member: member.name ?? '', isGuardian: isChild }));
    });
    const partners = await this.ctx.model(Partner).read([...new Set(candidates.map(({ partner }) => partner))], {
      select: { name: true, email: true, lang: true },
    });
    return candidates.flatMap((candidate) => {
      const contact = partners.find(({ id }) => id === candidate.partner);
      return contact?.email ? [{ ...candidate, email: contact.email, name: contact.name, lang: contact.lang }] : [];
    });
  }

  /** Sends the emails of some lines; `round` identifies the send operation. */
  async send(lines: Ids, round: string): Promise<void> {
    const mails = new Map<Id, Id[]>();
    for (const contact of await this.contacts(lines)) {
      // Place and note use the reader's language, like the rest of the email.
      const callUp = await callUpDetails(contact.lang ? this.ctx.as({ lang: contact.lang }) : this.ctx, contact.line);
      const mail = callUp && (await this.#sendTo(contact, callUp, round));
      if (mail) mails.set(contact.line, [...(mails.get(contact.line) ?? []), mail]);
    }
    for (const [line, mail_ids] of mails)
      await this.ctx.model(ConvocationLine).write(line, { mail_ids, mail_date: new Date(this.ctx.now().getTime()) });
  }

  /**
   * Queues the email to one contact.
   *
   * @returns its outbox row; null if none was queued
   */
  async #sendTo(contact: CalledContact, callUp: CallUpDetails, round: string): Promise<Id | null> {
    const { ctx } = this;
    try {
      const mail = await ctx.mail.send(callUpMail, {
        to: { email: contact.email, name: contact.name, ...(contact.lang ? { lang: contact.lang } : {}) },
        values: {
          title: callUp.match.display_name,
          name: contact.name,
          member: contact.member,
          isGuardian: contact.isGuardian,
          team: callUp.team_id?.name ?? '',
          start: callUp.match.start_datetime,
          timezone: callUp.timezone,
          venue: callUp.match.venue_id?.name ?? '',
          meeting: callUp.meeting_datetime,
          place: callUp.meeting_place ?? '',
          note: callUp.note ?? '',
          path: `/convocations/answer/${callUpToken(ctx, contact)}`,
        },
        // Prevents duplicates per contact and round, even if the job is retried.
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

type CallUpDetails = NonNullable<Awaited<ReturnType<typeof callUpDetails>>>;

/** Email values of a line's call-up. */
async function callUpDetails(ctx: Ctx, line: Id) {
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

/** A member with guardians and an unknown age counts as a child. */
function isUnderage(birthDate: string | null, today: string): boolean {
  return birthDate === null || ageOn(birthDate, today) < FULL_NAME_AGE;
}
