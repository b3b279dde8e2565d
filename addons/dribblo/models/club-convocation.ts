import { Published } from '@pergola/website';
import { type Domain, type FieldsOf, f, type Ids, InvalidInput, model } from 'pergola';
import { sendCallUps } from '../jobs/send-callups.ts';
import { CallUpMails } from '../services/callup-mails.ts';
import { mark } from '../texts.ts';
import { ConvocationLine } from './club-convocation-line.ts';

/** Result of sending emails: how many were queued, and members without an address. */
interface MailCount {
  readonly mails: number;
  readonly without: readonly string[];
}

/** Call-up for a match of an own team, with meeting time and place. Public once it is published. */
export class Convocation extends model(
  'club.convocation',
  {
    match_id: f.many2one('club.match', { required: true, ondelete: 'cascade', index: true, label: 'Match' }),
    team_id: f.many2one('club.team', { required: true, ondelete: 'cascade', index: true, label: 'Our team' }),
    meeting_datetime: f.datetime({ timezone: '@site', label: 'Meeting time' }),
    meeting_place: f.char({ size: 160, translate: true, label: 'Meeting place' }),
    note: f.text({ translate: true, help: 'What to bring, who drives' }),
    line_ids: f.one2many('club.convocation.line', 'convocation_id', { label: 'Called up' }),
    start_datetime: f.datetime({ related: 'match_id.start_datetime', timezone: '@site', label: 'Kick-off' }),
  },
  {
    order: 'id desc',
    label: 'Call-up',
    nameField: 'match_id',
    mixins: [Published],
    unique: [{ fields: ['match_id', 'team_id'], message: 'This team is already called up for this match.' }],
  },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, {
      select: {
        team_id: { is_ours: true },
        meeting_datetime: true,
        match_id: { receiver_id: true, visitor_id: true, start_datetime: true },
      },
    });
    for (const { team_id, meeting_datetime, match_id } of rows) {
      if (!team_id || !match_id) continue;
      if (!team_id.is_ours || (team_id.id !== match_id.receiver_id && team_id.id !== match_id.visitor_id)) {
        throw fieldError('team_id', mark('Choose one of our teams playing in this match.'));
      }
      if (meeting_datetime && meeting_datetime > match_id.start_datetime) {
        throw fieldError('meeting_datetime', mark('The meeting time must be before kick-off.'));
      }
    }
  }

  /** Publishes call-ups, and emails all their players who haven't been emailed yet. */
  async send_callups(ids: Ids): Promise<MailCount> {
    await this.write(ids, { website_published: true });
    return this.#mail(ids, [['mail_date', '=', null]]);
  }

  /** Sends reminders to players who haven't answered. */
  async remind(ids: Ids): Promise<MailCount> {
    return this.#mail(ids, [['answer', '=', 'none']]);
  }

  /** Calls up all active players of the team who aren't on the list yet. */
  async call_team(ids: Ids): Promise<boolean> {
    const rows = await this.read(ids, { select: { team_id: { member_ids: true }, line_ids: { member_id: true } } });
    for (const { id, team_id, line_ids } of rows) {
      const calledMembers = new Set(line_ids.map(({ member_id }) => member_id));
      const missing = (team_id?.member_ids ?? []).filter((member) => !calledMembers.has(member));
      await this.ctx
        .model(ConvocationLine)
        .create(missing.map((member) => ({ convocation_id: id, member_id: member })));
    }
    return true;
  }

  /**
   * Queues the emails of some lines.
   *
   * @throws InvalidInput without any recipients
   */
  async #mail(ids: Ids, lineDomain: Domain<FieldsOf<ConvocationLine>>): Promise<MailCount> {
    const model = this.ctx.model(ConvocationLine);
    const round = String(this.ctx.now().getTime());
    const total = { mails: 0, without: [] as string[] };
    for (const convocation of ids) {
      const lines = await model.search([['convocation_id', '=', convocation], ...lineDomain]);
      const contacts = await this.ctx.get(CallUpMails).contacts(lines);
      if (contacts.length === 0) {
        throw new InvalidInput('Everyone has already been emailed, or no one has an email address.', {
          code: 'dribblo.nobody',
        });
      }
      const reachableLines = new Set(contacts.map(({ line }) => line));
      const missed = await model.read(
        lines.filter((id) => !reachableLines.has(id)),
        { select: { member_id: { name: true } } },
      );
      await this.ctx.jobs.enqueue(sendCallUps, { convocation, lines: [...reachableLines], round });
      total.mails += contacts.length;
      total.without.push(...missed.map(({ member_id }) => member_id?.name ?? ''));
    }
    return total;
  }
}

function fieldError(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'dribblo.bad_convocation', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'club.convocation': Convocation;
  }
}
