import { randomUUID } from 'node:crypto';
import { Attachment, Language, User } from '@pergola/base';
import {
  Conflict,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  type Values,
} from 'pergola';
import type { OutgoingMail } from 'pergola/mail';
import { sendMailings } from '../jobs/send-mailings.ts';
import { sendTest } from '../jobs/send-test.ts';
import { mailingPaused } from '../mails.ts';
import { parseAddress } from '../services/address.ts';
import { type Compiled, compileProblems } from '../services/content/merge.ts';
import { LeaseLost } from '../services/delivery-log.ts';
import { t } from '../texts.ts';
import { MailingList } from './list.ts';
import { MailRecipient, type RecipientState } from './recipient.ts';
import { Subscription } from './subscription.ts';

/** Milliseconds after its last heartbeat until a run is considered dead. */
const LEASE = 12_000;
/** Maximum attempts for an email that was refused because of the sender, across several pauses. */
const MAX_ATTEMPTS = 5;
/** Maximum number and total size of attachments, within common limits of mail servers. */
const MOST_FILES = 10;
const MOST_MEGABYTES = 10;

const states = {
  draft: 'Draft',
  in_queue: 'Scheduled',
  sending: 'Sending',
  paused: 'Paused',
  done: 'Done',
};
const layouts = { news: 'News', letter: 'Letter', announcement: 'Announcement' };
export type MailingLayout = keyof typeof layouts;

/** Fields that become read-only once sending starts. */
const readonlyOnceSent = { readonly: [['state', 'in', ['sending', 'paused', 'done']]] } as const;

/** Editable content of a mailing. */
interface MailingContent {
  readonly email_from: string | null;
  readonly reply_to: string | null;
  readonly name: string;
  readonly preheader: string | null;
  readonly headline: string | null;
  readonly body_html: string | null;
  readonly button_url: string | null;
}

/** Number of emails by status. */
type Figures = Readonly<
  Record<
    | 'total'
    | 'scheduled'
    | 'held'
    | 'sent'
    | 'delivered'
    | 'failed'
    | 'bounced'
    | 'complained'
    | 'skipped'
    | 'opened'
    | 'clicked'
    | 'unsubscribed'
    | 'progress',
    number
  >
>;

/** An email to the subscribers of some lists: written, tested, sent now or later, with statistics. */
export class Mailing extends model(
  'mail.mass_mailing',
  {
    name: f.char({ required: true, ...readonlyOnceSent, translate: true, size: 200, label: 'Subject' }),
    preheader: f.char({
      ...readonlyOnceSent,
      translate: true,
      size: 200,
      label: 'Preview text',
      help: 'Shown after the subject in inboxes',
    }),
    email_from: f.char({
      ...readonlyOnceSent,
      size: 254,
      label: 'From',
      help: 'Leave empty to use the site’s sender',
    }),
    reply_to: f.char({ ...readonlyOnceSent, size: 254, label: 'Reply-to' }),
    contact_list_ids: f.many2many('mail.mass_mailing.list', {
      empty: 'none',
      ...readonlyOnceSent,
      label: 'Mailing lists',
    }),
    layout: f.selection(layouts, { ...readonlyOnceSent, default: 'news' }),
    headline: f.char({ ...readonlyOnceSent, translate: true, size: 200 }),
    image: f.image({ ...readonlyOnceSent, label: 'Header image' }),
    body_html: f.html({
      ...readonlyOnceSent,
      translate: true,
      sanitize: 'mail',
      label: 'Text',
      help: 'Merge fields: {{name}}, {{first_name|friend}} (“friend” if the name is missing), {{email}}, {{lists}}',
    }),
    button_label: f.char({ ...readonlyOnceSent, translate: true, size: 80, label: 'Button text' }),
    button_url: f.char({ ...readonlyOnceSent, size: 1_000, label: 'Button link' }),
    attachment_ids: f.many2many('ir.attachment', {
      empty: 'none',
      ...readonlyOnceSent,
      label: 'Attachments',
      help: 'Sent with every email',
    }),
    state: f.selection(states, {
      label: 'Status',
      default: 'draft',
      readonly: true,
      copy: false,
      colors: { in_queue: 'info', sending: 'info', paused: 'warning', done: 'success' },
    }),
    schedule_date: f.datetime({
      ...readonlyOnceSent,
      label: 'Send on',
      copy: false,
      help: 'Leave empty to send right away',
    }),
    started_date: f.datetime({ label: 'Started on', readonly: true, copy: false }),
    sent_date: f.datetime({ label: 'Sent on', readonly: true, copy: false, help: 'Empty while emails are held' }),
    test_emails: f.char({
      size: 1_000,
      label: 'Test recipients',
      help: 'Email addresses, separated by commas',
      copy: false,
    }),
    rate: f.integer({
      readonly: [['state', '=', 'done']],
      default: 0,
      min: 0,
      max: 10_000,
      label: 'Emails per second',
      help: '0 to use the default from the settings',
    }),
    track_opens: f.boolean({
      ...readonlyOnceSent,
      label: 'Track opens',
      help: 'Adds an invisible image loaded from this site',
    }),
    track_clicks: f.boolean({
      ...readonlyOnceSent,
      label: 'Track clicks',
      help: 'Links are redirected through this site',
    }),
    user_id: f.many2one('res.users', {
      empty: 'none',
      label: 'Responsible',
      default: (ctx) => ctx.user.id || null,
      help: 'Gets an email when sending is paused because mail servers reject the sender',
    }),
    last_error: f.char({ size: 500, readonly: true, copy: false, label: 'Last error' }),
    pause_reason: f.selection(
      { staff: 'Paused by staff', sender: 'Mail servers reject the sender' },
      { readonly: true, copy: false, label: 'Reason for the pause', empty: 'none', colors: { sender: 'danger' } },
    ),
    /** Consecutive refusals that blame the sender. */
    blames: f.integer({ default: 0, secret: true, copy: false, label: 'Sender rejections' }),
    statistics_ids: f.one2many('mail.mail.statistics', 'mass_mailing_id', { label: 'Recipients' }),
    link_ids: f.one2many('mail.mass_mailing.link', 'mass_mailing_id', { label: 'Links' }),
    total: f.integer({ compute: 'computeFigures', label: 'Recipients' }),
    scheduled: f.integer({ compute: 'computeFigures', label: 'Waiting' }),
    held: f.integer({ compute: 'computeFigures', label: 'Held (no mail server)' }),
    sent: f.integer({ compute: 'computeFigures', label: 'Sent' }),
    delivered: f.integer({ compute: 'computeFigures', label: 'Delivered', help: 'As reported by mail servers' }),
    failed: f.integer({ compute: 'computeFigures', label: 'Refused' }),
    bounced: f.integer({ compute: 'computeFigures', label: 'Bounced' }),
    complained: f.integer({ compute: 'computeFigures', label: 'Marked as spam' }),
    skipped: f.integer({ compute: 'computeFigures', label: 'Excluded' }),
    opened: f.integer({ compute: 'computeFigures', label: 'Opened' }),
    clicked: f.integer({ compute: 'computeFigures', label: 'Clicked' }),
    unsubscribed: f.integer({ compute: 'computeFigures', label: 'Unsubscribed' }),
    progress: f.integer({ compute: 'computeFigures', label: 'Progress (%)' }),
    preview_url: f.char({ compute: 'computePreviewUrl', label: 'Preview' }),
    /** Final email in every language; compiled once when sending starts. */
    compiled: f.json<Readonly<Record<string, Compiled>>>({ secret: true, sealed: false, copy: false }),
    /** Last subscription that was expanded into a recipient. */
    cursor: f.integer({ default: 0, secret: true, copy: false }),
    expanded: f.boolean({ secret: true, copy: false }),
    /** ID of the active run, and when its lease expires. */
    runner: f.char({ size: 40, secret: true, sealed: false, copy: false }),
    runner_until: f.datetime({ readonly: true, secret: true, copy: false }),
  },
  { order: 'id desc', label: 'Mailing', search: ['name'], indexes: [['state']] },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, {
      select: {
        email_from: true,
        reply_to: true,
        name: true,
        preheader: true,
        headline: true,
        body_html: true,
        button_url: true,
      },
    });
    for (const row of rows) this.checkContent(row);
  }

  /** @throws InvalidInput for the field that prevents the email from being composed */
  checkContent(row: MailingContent): void {
    for (const name of ['email_from', 'reply_to'] as const) {
      if (row[name] && !isEmailAddress(parseAddress(row[name]).email)) {
        throw notReady(name, t(this.ctx, 'Enter a valid email address.'));
      }
    }
    for (const name of ['name', 'preheader', 'headline', 'body_html'] as const) {
      const unknown = compileProblems(row[name] ?? '');
      if (unknown) throw notReady(name, t(this.ctx, 'Unknown merge field: {field}.', { field: unknown }));
    }
    if (row.button_url && !/^(https?:\/\/[^\s"<>]+|\/[^\s"<>]*)$/.test(row.button_url)) {
      throw notReady('button_url', t(this.ctx, 'Enter a web address, or a path on this site.'));
    }
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<Mailing>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.#takeFiles(ids.filter((_, index) => values[index]?.attachment_ids !== undefined));
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<Mailing>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.attachment_ids !== undefined) await this.#takeFiles(ids);
    if (values.schedule_date !== undefined && values.state === undefined) await this.#reschedule(ids);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    const sendingDomain = [
      ['id', 'in', ids],
      ['state', '=', 'sending'],
    ] as const;
    if ((await this.invariant(Mailing, ids, () => this.count(sendingDomain))) > 0)
      throw new Conflict('Pause this mailing before you delete it.', { code: 'mass_mailing.being_sent' });
    await super.beforeUnlink(ids);
  }

  /** Starts sending, or resumes after a pause. */
  async send_mail(ids: Ids): Promise<boolean> {
    for (const id of ids) {
      const { state } = await this.#ready(id);
      if (state !== 'draft' && state !== 'in_queue' && state !== 'paused') {
        throw new Conflict('This mailing has already been sent. Duplicate it to send it again.', {
          code: 'mass_mailing.sent',
        });
      }
      // Emails in transit during the pause may have been refused after it.
      if (state === 'paused') await this.#requeueRejected(id);
      await this.write(id, {
        state: 'sending',
        last_error: null,
        pause_reason: null,
        blames: 0,
        ...(state === 'paused' ? {} : { started_date: this.ctx.now() }),
      });
    }
    await this.ctx.jobs.enqueue(sendMailings, {}, { key: 'send' });
    return true;
  }

  /** Schedules the mailing for its date. */
  async put_in_queue(ids: Ids): Promise<boolean> {
    for (const id of ids) {
      const { state, schedule_date: scheduledFor } = await this.#ready(id);
      if (state !== 'draft' && state !== 'in_queue') {
        throw new Conflict('This mailing has already been sent. Duplicate it to send it again.', {
          code: 'mass_mailing.sent',
        });
      }
      if (!scheduledFor || scheduledFor <= this.ctx.now())
        throw notReady('schedule_date', t(this.ctx, 'Choose a time in the future.'));
      await this.write(id, { state: 'in_queue' });
      await this.ctx.jobs.enqueue(sendMailings, {}, { at: scheduledFor, key: `at ${scheduledFor.toISOString()}` });
    }
    return true;
  }

  /** Unschedules a mailing, or stops sending. Emails already sent stay sent; the others are sent when sending is resumed. */
  async cancel_mass_mailing(ids: Ids): Promise<boolean> {
    await this.ctx.lock(Mailing, ids);
    for (const { id, state } of await this.read(ids, { select: { state: true } })) {
      if (state === 'in_queue') await this.write(id, { state: 'draft' });
      else if (state === 'sending') await this.write(id, { state: 'paused', pause_reason: 'staff' });
      else throw new Conflict('This mailing isn’t being sent.', { code: 'mass_mailing.not_under_way' });
    }
    return true;
  }

  /** Sends test emails to the given addresses, or to those stored in the mailing. */
  async action_test_mailing(ids: Ids, emails?: string): Promise<boolean> {
    for (const { id, test_emails } of await this.read(ids, { select: { test_emails: true } })) {
      const text = emails ?? test_emails ?? '';
      const addresses = text.split(/[,;\s]+/).filter((part) => part !== '');
      if (addresses.length === 0 || addresses.length > 10)
        throw notReady('test_emails', t(this.ctx, 'Enter one to ten addresses.'));
      for (const email of addresses) {
        if (!isEmailAddress(email))
          throw notReady('test_emails', t(this.ctx, '{email} isn’t a valid email address.', { email }));
      }
      for (const email of addresses) await this.ctx.jobs.enqueue(sendTest, { mailing: id, email, lang: this.ctx.lang });
    }
    return true;
  }

  /** Number of emails by status. */
  async computeFigures(ids: Ids): Promise<Map<Id, Figures>> {
    const rows = await this.ctx.model(MailRecipient).group([['mass_mailing_id', 'in', ids]], {
      by: ['mass_mailing_id', 'state'],
      aggregates: ['opened:count', 'clicked:count', 'unsubscribed:count'],
    });
    const byMailing = Map.groupBy(rows, ({ mass_mailing_id }) => Number([mass_mailing_id].flat()[0]));
    return new Map(
      ids.map((id) => {
        const groups = byMailing.get(id) ?? [];
        const sum = (number: (row: (typeof groups)[number]) => unknown): number =>
          groups.reduce((all, row) => all + Number(number(row) ?? 0), 0);
        const inState = (...states: RecipientState[]): number =>
          sum(({ state, count }) => (states.some((candidate) => candidate === state) ? count : 0));
        const [total, scheduled] = [sum(({ count }) => count), inState('waiting')];
        return [
          id,
          {
            total,
            scheduled,
            held: inState('held'),
            sent: inState('sent', 'delivered', 'bounced', 'complained'),
            delivered: inState('delivered', 'complained'),
            failed: inState('failed'),
            bounced: inState('bounced'),
            complained: inState('complained'),
            skipped: inState('skipped'),
            opened: sum((row) => row['opened:count']),
            clicked: sum((row) => row['clicked:count']),
            unsubscribed: sum((row) => row['unsubscribed:count']),
            progress: total === 0 ? 0 : Math.floor(((total - scheduled - inState('held')) / total) * 100),
          },
        ];
      }),
    );
  }

  /** URL of the email preview. */
  async computePreviewUrl(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `${this.ctx.config.baseUrl}/mass_mailing/preview/${id}`]));
  }

  /** Languages in which a mailing is compiled. */
  async languages(): Promise<string[]> {
    const rows = await this.ctx
      .sudo()
      .model(Language)
      .find([['active', '=', true]], { select: { code: true } });
    return rows.map(({ code }) => code);
  }

  /** Public names of its lists, by ID. */
  async listNames(id: Id): Promise<ReadonlyMap<Id, string>> {
    const { contact_list_ids: ids } = await this.get(id, { select: { contact_list_ids: true } });
    const lists = await this.ctx.model(MailingList).read(ids, { select: { name: true } });
    return new Map(lists.map(({ id: list, name }) => [list, name]));
  }

  /** Its attachments; read once for all recipients. */
  async files(id: Id): Promise<NonNullable<OutgoingMail['attachments']>> {
    const { attachment_ids: files } = await this.get(id, { select: { attachment_ids: { name: true, datas: true } } });
    const read = await Promise.all(
      files.map(async ({ name, datas }) => {
        const content = datas && (await this.ctx.files.get(datas.hash));
        return content ? [{ name, mimetype: datas.mimetype, content }] : [];
      }),
    );
    return read.flat();
  }

  /** Acquires a mailing for a run, and returns the run's ID; null if another run has it, or it shouldn't be sent anymore. */
  async beginRun(id: Id): Promise<string | null> {
    await this.ctx.lock(Mailing, [id]);
    const { state, runner_until, started_date, schedule_date } = await this.get(id, {
      select: { state: true, runner_until: true, started_date: true, schedule_date: true },
    });
    const now = this.ctx.now();
    const isDue = state === 'sending' || (state === 'in_queue' && schedule_date !== null && schedule_date <= now);
    if (!isDue || (runner_until !== null && runner_until >= now)) return null;
    const runner = randomUUID();
    const values = {
      state: 'sending',
      started_date: started_date ?? now,
      runner,
      runner_until: now.plus(LEASE),
    } as const;
    await this.write(id, values);
    return runner;
  }

  /** @throws LeaseLost if another run has the mailing */
  async requireRun(id: Id, runner: string): Promise<void> {
    await this.ctx.lock(Mailing, [id]);
    const row = await this.first([['id', '=', id]], { select: { runner: true } });
    if (row?.runner !== runner) throw new LeaseLost();
  }

  /** @throws LeaseLost if another run has the mailing */
  async renewRun(id: Id, runner: string): Promise<void> {
    await this.requireRun(id, runner);
    await this.write(id, { runner_until: this.ctx.now().plus(LEASE) });
  }

  /**
   * Ends a run: `done` when all recipients were processed, `more` when another run continues, `stopped` when the mailing can't be sent.
   *
   * @throws LeaseLost if another run has the mailing
   */
  async endRun(
    id: Id,
    runner: string,
    outcome: 'done' | 'more' | 'stopped',
    trouble: string | null = null,
  ): Promise<void> {
    await this.requireRun(id, runner);
    const { state } = await this.get(id, { select: { state: true } });
    const rejected = outcome === 'done' && state === 'sending' ? await this.#rejection(id) : null;
    if (rejected !== null) await this.pauseForSender(id, rejected);
    await this.write(id, {
      runner: null,
      runner_until: null,
      ...(rejected === null && state !== 'paused' ? { last_error: trouble?.slice(0, 500) ?? null } : {}),
      ...(outcome === 'stopped' ? { state: 'draft' } : {}),
      ...(outcome === 'done' && state === 'sending' && rejected === null ? { state: 'done' } : {}),
    });
    await this.dateSent(id);
  }

  /** Sets the sent date of a completed mailing once none of its emails is held. */
  async dateSent(id: Id): Promise<void> {
    await this.ctx.lock(Mailing.modelName, [id]);
    const { state, sent_date } = await this.get(id, { select: { state: true, sent_date: true } });
    if (state !== 'done' || sent_date !== null) return;
    const heldMail = await this.ctx.model(MailRecipient).first(
      [
        ['mass_mailing_id', '=', id],
        ['state', '=', 'held'],
      ],
      { select: { id: true } },
    );
    if (heldMail === null) await this.write(id, { sent_date: this.ctx.now() });
  }

  /** Requeues emails that were refused because of the sender, behind emails that haven't been tried yet. */
  async #requeueRejected(id: Id): Promise<void> {
    const recipients = this.ctx.model(MailRecipient);
    const rejectedIds = await recipients.search([
      ['mass_mailing_id', '=', id],
      ['state', '=', 'failed'],
      ['reason', '=', 'sender'],
      ['attempts', '<', MAX_ATTEMPTS],
    ]);
    await recipients.write(rejectedIds, { state: 'waiting', next_at: this.ctx.now() });
  }

  /**
   * Response of the mail server if it accepted no email of the mailing and blamed the sender, as for a list that is too short to trigger
   * the automatic pause.
   */
  async #rejection(id: Id): Promise<string | null> {
    const recipients = this.ctx.model(MailRecipient);
    const ofMailing = ['mass_mailing_id', '=', id] as const;
    if (
      (await recipients.count([ofMailing, ['state', 'in', ['sent', 'delivered', 'held', 'bounced', 'complained']]])) > 0
    )
      return null;
    const senderRefusals = [
      ofMailing,
      ['state', '=', 'failed'],
      ['reason', '=', 'sender'],
      ['attempts', '<', MAX_ATTEMPTS],
    ] as const;
    const row = await recipients.first(senderRefusals, { select: { exception: true } });
    return row ? (row.exception ?? '') : null;
  }

  /**
   * Pauses a mailing because mail servers reject the sender, and notifies the person responsible. Emails refused for that reason are
   * requeued and sent once the mailing is resumed; accepted ones aren't. Does nothing unless the mailing is being sent.
   */
  async pauseForSender(id: Id, answer: string): Promise<void> {
    await this.ctx.lock(Mailing, [id]);
    const { state, name, user_id: userId } = await this.get(id, { select: { state: true, name: true, user_id: true } });
    if (state !== 'sending') return;
    await this.write(id, { state: 'paused', pause_reason: 'sender', last_error: answer.slice(0, 500), blames: 0 });
    await this.#requeueRejected(id);
    const users = this.ctx.sudo().model(User); // The job's user may not read accounts; only the address of the person responsible is used.
    const user = await users.first([['id', '=', userId ?? 0]], { select: { name: true, email: true, lang: true } });
    if (!user?.email || !isEmailAddress(user.email)) return;
    await this.ctx.mail.send(mailingPaused, {
      to: { email: user.email, name: user.name ?? '', lang: user.lang ?? undefined },
      values: { name, answer: answer.slice(0, 500), path: `/web/m/mail.mass_mailing/${id}` },
    });
  }

  /** Verifies that a mailing can be sent; the lock serialises concurrent calls. */
  async #ready(id: Id): Promise<{ state: string; schedule_date: Date | null }> {
    await this.ctx.lock(Mailing, [id]);
    const mailing = await this.get(id, {
      select: { state: true, schedule_date: true, contact_list_ids: true, body_html: true, headline: true },
    });
    if (!mailing.body_html && !mailing.headline)
      throw notReady('body_html', t(this.ctx, 'This email is empty. Add some content.'));
    const people = await this.ctx.model(Subscription).count([
      ['list_id', 'in', mailing.contact_list_ids],
      ['opt_out', '=', false],
    ]);
    if (people === 0)
      throw notReady('contact_list_ids', t(this.ctx, 'These lists have no subscribers. Choose one that does.'));
    return mailing;
  }

  /** Applies a changed date to scheduled mailings; without a date, they are unscheduled. */
  async #reschedule(ids: Ids): Promise<void> {
    const waiting = await this.find(
      [
        ['id', 'in', ids],
        ['state', '=', 'in_queue'],
      ],
      { select: { schedule_date: true } },
    );
    for (const { id, schedule_date: scheduledFor } of waiting) {
      if (!scheduledFor) await this.write(id, { state: 'draft' });
      else if (scheduledFor <= this.ctx.now())
        throw notReady('schedule_date', t(this.ctx, 'Choose a time in the future.'));
      else await this.ctx.jobs.enqueue(sendMailings, {}, { at: scheduledFor, key: `at ${scheduledFor.toISOString()}` });
    }
  }

  /**
   * Claims the attachments of mailings: uploaded files are assigned to the mailing, and files of another record (such as the mailing it was
   * copied from) are duplicated, so deleting that record doesn't affect them.
   *
   * @throws InvalidInput if the attachments exceed the limits
   */
  async #takeFiles(ids: Ids): Promise<void> {
    const rows = await this.read(ids, {
      select: { attachment_ids: { name: true, datas: true, file_size: true, res_model: true, res_id: true } },
    });
    for (const { id, attachment_ids: files } of rows) {
      const bytes = files.reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
      if (files.length > MOST_FILES || bytes > MOST_MEGABYTES * 1_000_000) {
        const message = t(this.ctx, 'Attach up to {files} files, {size} MB in total.', {
          files: MOST_FILES,
          size: MOST_MEGABYTES,
        });
        throw new InvalidInput(message, { code: 'mass_mailing.too_many_files', fields: { attachment_ids: message } });
      }
      const owner = { res_model: Mailing.modelName, res_id: id };
      const unattached = files.filter(({ res_model }) => !res_model);
      if (unattached.length > 0)
        await this.ctx.model(Attachment).write(
          unattached.map((file) => file.id),
          owner,
        );
      const foreign = files.filter(
        ({ res_model, res_id }) => res_model && !(res_model === owner.res_model && res_id === id),
      );
      if (foreign.length === 0) continue;
      const copies = await this.ctx
        .model(Attachment)
        .create(foreign.map(({ name, datas }) => ({ name, datas, ...owner })));
      const ownFiles = files.filter((file) => !foreign.includes(file)).map((file) => file.id);
      await this.write(id, { attachment_ids: [...ownFiles, ...copies] });
    }
  }
}

/** Error for a field that prevents a mailing from being saved or sent. */
function notReady(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'mass_mailing.not_ready', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing': Mailing;
  }
}
