import { app, type Ctx, type Id, type JobRun, service } from 'pergola';
import { recordBounce, recordDelivered } from 'pergola/mail';
import { Contact } from '../../models/contact.ts';
import { Exclusion } from '../../models/exclusion.ts';
import { MailRecipient } from '../../models/recipient.ts';
import { isShortSignature } from '../links.ts';
import { type Bounce, type OutboxReport, parseBounce, parseOutboxReport } from './parse-report.ts';
import { readMails } from './read-mails.ts';

/** Number of bounces blaming the sender that pauses a mailing, and their minimum share of the sent emails. */
const MAX_SENDER_BOUNCES = 10;
const SENDER_BOUNCE_SHARE = 0.2;

/** Processes delivery reports, with their effects on recipients. */
export class Bounces extends service('mass_mailing.bounces', { ctx: app.ctx }) {
  /** Reads the reports in a mailbox. Stores errors in its record, so other mailboxes are still read. */
  async read(id: Id, { write, signal }: Pick<JobRun<object>, 'write' | 'signal'>): Promise<void> {
    let error: string | null = null;
    try {
      const { cursor: start, ...source } = await this.ctx.model('mail.mass_mailing.mailbox').source(id);
      for await (const { mails, cursor, done: markRead } of readMails(source, start)) {
        const bounces = (await Promise.all(mails.map(parseBounce))).filter((bounce) => bounce !== null);
        const single = (await Promise.all(mails.map(parseOutboxReport))).filter((report) => report !== null);
        await write(async (writing) => {
          let fresh = 0;
          for (const bounce of bounces) if (await writing.get(Bounces).apply(bounce)) fresh++;
          for (const report of single) if (await recordSingle(writing, report)) fresh++;
          const mailboxes = writing.model('mail.mass_mailing.mailbox');
          const { found: reportCount } = await mailboxes.get(id, { select: { found: true } });
          await mailboxes.write(id, { cursor, found: (reportCount ?? 0) + fresh });
        });
        await markRead?.();
        if (signal.aborted) return;
      }
    } catch (trouble) {
      error = (Error.isError(trouble) ? trouble.message : String(trouble)).slice(0, 500);
      this.ctx.log.warn({ err: trouble, mailbox: id }, 'A bounce mailbox could not be read');
    }
    await write((writing) =>
      writing.model('mail.mass_mailing.mailbox').write(id, { last_read: writing.now(), last_error: error }),
    );
  }

  /** Records a report once per email; returns whether it was new. Ignores forged reports without a valid signature. */
  async apply({ id, signature, kind, reason, text }: Bounce): Promise<boolean> {
    if (!isShortSignature(this.ctx.config.sessionSecret, 'message', String(id), signature)) return false;
    const recipients = this.ctx.model(MailRecipient);
    const row = await recipients.first([['id', '=', id]], {
      select: { email: true, state: true, bounced: true, contact_id: true, mass_mailing_id: true },
    });
    if (!row || row.state === 'complained') return false;
    if (kind === 'complaint') {
      await recipients.write(id, { state: 'complained', exception: text });
      await this.ctx.model(Exclusion).exclude(row.email, 'complaint', text);
      return true;
    }
    if (row.bounced !== null) return false;
    const contacts = row.contact_id === null ? [] : [row.contact_id];
    if (kind === 'delayed') {
      if (row.state !== 'delivered') await recipients.write(id, { exception: text });
      return false;
    }
    if (kind === 'delivered') {
      await recipients.write(id, { state: 'delivered', exception: null });
      await this.ctx.model(Contact).resetBounces(contacts);
      return false;
    }
    await recipients.write(id, { state: 'bounced', bounced: this.ctx.now(), exception: text, reason });
    await this.ctx.model(Contact).recountBounces(contacts);
    if (reason === 'address') await this.ctx.model(Exclusion).exclude(row.email, 'bounce', text);
    if (reason === 'sender') await this.#pause(row.mass_mailing_id, text);
    return true;
  }

  /** Pauses a mailing if many of its emails bounce because of the sender. */
  async #pause(mailing: Id, text: string): Promise<void> {
    const ofMailing = ['mass_mailing_id', '=', mailing] as const;
    const recipients = this.ctx.model(MailRecipient);
    const bounced = await recipients.count([ofMailing, ['state', '=', 'bounced'], ['reason', '=', 'sender']]);
    const accepted = await recipients.count([ofMailing, ['sent', '!=', null]]);
    if (bounced < MAX_SENDER_BOUNCES || bounced < accepted * SENDER_BOUNCE_SHARE) return;
    await this.ctx.model('mail.mass_mailing').pauseForSender(mailing, text);
  }
}

function recordSingle(ctx: Ctx, { kind, messageIds, text }: OutboxReport): Promise<boolean> {
  return kind === 'delivered' ? recordDelivered(ctx, messageIds) : recordBounce(ctx, messageIds, text);
}
