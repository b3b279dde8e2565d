import { Language } from '#addons/base';
import { Conflict, type FieldsOf, f, type Id, type Ids, isEmailAddress, model, type Values } from '#core';
import { sendMailings } from '../jobs/send-mailings.ts';
import { sendTest } from '../jobs/send-test.ts';
import { checkContent, notReady } from '../services/content/check.ts';
import type { Compiled } from '../services/content/merge.ts';
import { type Figures, noFigures, SharedFigures } from '../services/figures.ts';
import { takeFiles } from '../services/files.ts';
import { Subscription } from './subscription.ts';

const states = {
  draft: 'Draft',
  in_queue: 'Scheduled',
  sending: 'Being sent',
  paused: 'Stopped',
  done: 'Sent',
};
const layouts = { news: 'News', letter: 'Letter', announcement: 'Announcement' };
export type MailingLayout = keyof typeof layouts;

/** What makes up the mail itself; fixed as soon as it begins to go out. */
const content = [
  'name',
  'preheader',
  'layout',
  'headline',
  'image',
  'body_html',
  'button_label',
  'button_url',
  'attachment_ids',
] as const;
const settled = [...content, 'email_from', 'reply_to', 'contact_list_ids', 'track_opens', 'track_clicks'] as const;

/** A mail to everybody on some lists: written, tried, sent now or later, and what became of it. */
export class Mailing extends model(
  'mail.mass_mailing',
  {
    name: f.char({ required: true, translate: true, size: 200, label: 'Subject' }),
    preheader: f.char({
      translate: true,
      size: 200,
      label: 'Preview line',
      help: 'Shown beside the subject in lists of mails',
    }),
    email_from: f.char({ size: 254, label: 'From', help: 'Empty: the sender of the site’s mails' }),
    reply_to: f.char({ size: 254, label: 'Answers go to' }),
    contact_list_ids: f.many2many('mail.mass_mailing.list', { label: 'Mailing lists' }),
    layout: f.selection(layouts, { default: 'news' }),
    headline: f.char({ translate: true, size: 200 }),
    image: f.image({ label: 'Picture at the top' }),
    body_html: f.html({
      translate: true,
      sanitize: 'mail',
      label: 'Text',
      help: 'What differs for each reader: {{name}}, {{first_name|friend}} (“friend” where there is no name), {{email}}, {{lists}}',
    }),
    button_label: f.char({ translate: true, size: 80, label: 'Button' }),
    button_url: f.char({ size: 1_000, label: 'Button leads to' }),
    attachment_ids: f.many2many('ir.attachment', { label: 'Files', help: 'They go with every mail' }),
    state: f.selection(states, { default: 'draft', readonly: true, copy: false }),
    schedule_date: f.datetime({ label: 'Send on', copy: false, help: 'Empty: as soon as you send it' }),
    started_date: f.datetime({ label: 'Begun on', readonly: true, copy: false }),
    sent_date: f.datetime({ label: 'Sent on', readonly: true, copy: false }),
    test_emails: f.char({
      size: 1_000,
      label: 'Try it with',
      help: 'Addresses, with commas between them',
      copy: false,
    }),
    rate: f.integer({ default: 0, min: 0, max: 10_000, label: 'Mails a second', help: '0: as the settings say' }),
    track_opens: f.boolean({ label: 'Count who opens it', help: 'Loads an invisible picture from this site' }),
    track_clicks: f.boolean({ label: 'Count who follows links', help: 'Links lead over this site' }),
    last_error: f.char({ size: 500, readonly: true, copy: false, label: 'Last trouble' }),
    statistics_ids: f.one2many('mail.mail.statistics', 'mass_mailing_id', { label: 'Recipients' }),
    link_ids: f.one2many('mail.mass_mailing.link', 'mass_mailing_id', { label: 'Links' }),
    total: f.integer({ compute: 'computeTotal', label: 'Recipients' }),
    scheduled: f.integer({ compute: 'computeWaiting', label: 'Still to go' }),
    sent: f.integer({ compute: 'computeSent', label: 'Mails sent' }),
    delivered: f.integer({ compute: 'computeDelivered', label: 'Delivered' }),
    failed: f.integer({ compute: 'computeFailed', label: 'Refused' }),
    bounced: f.integer({ compute: 'computeBounced', label: 'Came back' }),
    skipped: f.integer({ compute: 'computeSkipped', label: 'Left out' }),
    opened: f.integer({ compute: 'computeOpened', label: 'Opened' }),
    clicked: f.integer({ compute: 'computeClicked', label: 'Followed a link' }),
    unsubscribed: f.integer({ compute: 'computeUnsubscribed', label: 'Unsubscribed' }),
    progress: f.integer({ compute: 'computeProgress', label: 'Progress in percent' }),
    preview_url: f.char({ compute: 'computePreviewUrl', label: 'Look at it' }),
    /** The mail in every language, as it goes out; made once, when sending begins. */
    compiled: f.json<Readonly<Record<string, Compiled>>>({ secret: true, copy: false }),
    /** Up to which subscription recipients have been found. */
    cursor: f.integer({ default: 0, secret: true, copy: false }),
    expanded: f.boolean({ secret: true, copy: false }),
    /** Which run sends it now, and until when it is taken to be alive. */
    runner: f.char({ size: 40, secret: true, copy: false }),
    runner_until: f.datetime({ secret: true, copy: false }),
  },
  { order: 'id desc', label: 'Mailing', search: ['name'], indexes: [['state']] },
) {
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Mailing>>): Promise<Values<FieldsOf<Mailing>>> {
    if (settled.some((name) => values[name] !== undefined)) await this.#requireOpen(ids);
    return super.beforeWrite(ids, values);
  }

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
    for (const row of rows) checkContent(this.ctx, row);
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<Mailing>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await takeFiles(
      this.ctx,
      ids.filter((_, at) => values[at]?.attachment_ids !== undefined),
    );
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<Mailing>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.attachment_ids !== undefined) await takeFiles(this.ctx, ids);
    if (values.schedule_date !== undefined && values.state === undefined) await this.#reschedule(ids);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    const busy = await this.count([
      ['id', 'in', ids],
      ['state', '=', 'sending'],
    ]);
    if (busy > 0) throw new Conflict('Stop this mailing before you delete it.', { code: 'mass_mailing.being_sent' });
    await super.beforeUnlink(ids);
  }

  /** Begins to send, or goes on after a stop. */
  async send_mail(ids: Ids): Promise<boolean> {
    for (const id of ids) {
      const { state } = await this.#ready(id);
      if (state !== 'draft' && state !== 'in_queue' && state !== 'paused') {
        throw new Conflict('This mailing is sent already. Duplicate it to send it again.', {
          code: 'mass_mailing.sent',
        });
      }
      await this.write(id, {
        state: 'sending',
        last_error: null,
        ...(state === 'paused' ? {} : { started_date: this.ctx.now() }),
      });
    }
    await this.ctx.jobs.enqueue(sendMailings, {}, { key: 'send' });
    return true;
  }

  /** Sends it at the time it says. */
  async put_in_queue(ids: Ids): Promise<boolean> {
    for (const id of ids) {
      const { state, schedule_date: at } = await this.#ready(id);
      if (state !== 'draft' && state !== 'in_queue') {
        throw new Conflict('This mailing is sent already. Duplicate it to send it again.', {
          code: 'mass_mailing.sent',
        });
      }
      if (!at || at <= this.ctx.now()) throw notReady('schedule_date', this.ctx.t('Choose a time to come.'));
      await this.write(id, { state: 'in_queue' });
      await this.ctx.jobs.enqueue(sendMailings, {}, { at, key: `at ${at.toISOString()}` });
    }
    return true;
  }

  /** Takes back a schedule, or stops sending; what is out is out, the rest goes when it is sent again. */
  async cancel_mass_mailing(ids: Ids): Promise<boolean> {
    await this.ctx.lock(Mailing, ids);
    for (const { id, state } of await this.read(ids, { select: { state: true } })) {
      if (state === 'in_queue') await this.write(id, { state: 'draft' });
      else if (state === 'sending') await this.write(id, { state: 'paused' });
      else throw new Conflict('This mailing is not under way.', { code: 'mass_mailing.not_under_way' });
    }
    return true;
  }

  /** Sends it to a few addresses, to be looked at. The addresses are those given, or those of the mailing. */
  async action_test_mailing(ids: Ids, emails?: string): Promise<boolean> {
    for (const { id, test_emails } of await this.read(ids, { select: { test_emails: true } })) {
      const text = emails ?? test_emails ?? '';
      const addresses = text.split(/[,;\s]+/).filter((part) => part !== '');
      if (addresses.length === 0 || addresses.length > 10)
        throw notReady('test_emails', this.ctx.t('Give one to ten addresses.'));
      for (const email of addresses) {
        if (!isEmailAddress(email))
          throw notReady('test_emails', this.ctx.t('{email} is no e-mail address.', { email }));
      }
      for (const email of addresses) await this.ctx.jobs.enqueue(sendTest, { mailing: id, email, lang: this.ctx.lang });
    }
    return true;
  }

  async computeTotal(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => sum(Object.values(count)));
  }
  async computeWaiting(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => count.waiting ?? 0);
  }
  async computeSent(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => (count.sent ?? 0) + (count.bounced ?? 0));
  }
  async computeDelivered(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => count.sent ?? 0);
  }
  async computeFailed(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => count.failed ?? 0);
  }
  async computeBounced(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => count.bounced ?? 0);
  }
  async computeSkipped(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => count.skipped ?? 0);
  }
  async computeOpened(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ opened }) => opened);
  }
  async computeClicked(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ clicked }) => clicked);
  }
  async computeUnsubscribed(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ unsubscribed }) => unsubscribed);
  }
  async computeProgress(ids: Ids): Promise<Map<Id, number>> {
    return this.#figure(ids, ({ states: count }) => {
      const total = sum(Object.values(count));
      return total === 0 ? 0 : Math.floor(((total - (count.waiting ?? 0)) / total) * 100);
    });
  }

  /** Where the mail is shown as it will look. */
  async computePreviewUrl(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `${this.ctx.config.baseUrl}/mass_mailing/preview/${id}`]));
  }

  /** The languages a mailing is made in. */
  async languages(): Promise<string[]> {
    const rows = await this.ctx
      .sudo()
      .model(Language)
      .find([['active', '=', true]], { select: { code: true } });
    return rows.map(({ code }) => code);
  }

  readonly #figures = new SharedFigures(() => this.ctx);

  async #figure(ids: Ids, pick: (figures: Figures) => number): Promise<Map<Id, number>> {
    const figures = await this.#figures.of(ids);
    return new Map(ids.map((id) => [id, pick(figures.get(id) ?? noFigures)]));
  }

  /** Everything a mailing needs before it may go out; two who press at once come one after the other. */
  async #ready(id: Id): Promise<{ state: string; schedule_date: Date | null }> {
    await this.ctx.lock(Mailing, [id]);
    const mailing = await this.get(id, {
      select: { state: true, schedule_date: true, contact_list_ids: true, body_html: true, headline: true },
    });
    if (!mailing.body_html && !mailing.headline)
      throw notReady('body_html', this.ctx.t('There is nothing in this mail yet.'));
    const people = await this.ctx.model(Subscription).count([
      ['list_id', 'in', mailing.contact_list_ids],
      ['opt_out', '=', false],
    ]);
    if (people === 0)
      throw notReady('contact_list_ids', this.ctx.t('Nobody is on these lists: choose one with subscribers.'));
    return mailing;
  }

  /** A mailing that waits goes by its new time; without one it waits no longer. */
  async #reschedule(ids: Ids): Promise<void> {
    const waiting = await this.find(
      [
        ['id', 'in', ids],
        ['state', '=', 'in_queue'],
      ],
      { select: { schedule_date: true } },
    );
    for (const { id, schedule_date: at } of waiting) {
      if (!at) await this.write(id, { state: 'draft' });
      else if (at <= this.ctx.now()) throw notReady('schedule_date', this.ctx.t('Choose a time to come.'));
      else await this.ctx.jobs.enqueue(sendMailings, {}, { at, key: `at ${at.toISOString()}` });
    }
  }

  async #requireOpen(ids: Ids): Promise<void> {
    const fixed = await this.count([
      ['id', 'in', ids],
      ['state', 'in', ['sending', 'paused', 'done']],
    ]);
    if (fixed === 0) return;
    throw new Conflict('This mailing has begun to go out and cannot be changed. Duplicate it to make another.', {
      code: 'mass_mailing.fixed',
    });
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

declare module '#core' {
  interface Models {
    'mail.mass_mailing': Mailing;
  }
}
