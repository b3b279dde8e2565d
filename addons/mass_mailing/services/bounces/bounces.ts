import { app, type Id, type JobRun, service } from '#core';
import { Contact } from '../../models/contact.ts';
import { Exclusion } from '../../models/exclusion.ts';
import { MailRecipient } from '../../models/recipient.ts';
import { isShortSignature } from '../links.ts';
import { type Bounce, parseBounce } from './parse-report.ts';
import { readMails } from './read-mails.ts';

/** An address that mails came back from so often gets no more, whatever the reason was. */
const MOST_BOUNCES = 3;
/** Reports that say that there is no such address. */
const NO_ADDRESS = /^5\.(1\.|2\.1|4\.4)/;

/** Mails that came back, and what follows from it for whom they were for. */
export class Bounces extends service('mass_mailing.bounces', { ctx: app.ctx }) {
  /** What one mailbox says; trouble with it is written down there and keeps no other from being read. */
  async read(id: Id, { write, signal }: Pick<JobRun<object>, 'write' | 'signal'>): Promise<void> {
    const source = await this.ctx.model('mail.mass_mailing.mailbox').get(id, {
      select: {
        kind: true,
        host: true,
        port: true,
        secure: true,
        login: true,
        password: true,
        folder: true,
        path: true,
        cursor: true,
      },
    });
    let error: string | null = null;
    try {
      for await (const { mails, cursor, done } of readMails(source, source.cursor ?? {})) {
        const bounces = mails.map(parseBounce).filter((bounce) => bounce !== null);
        await write(async (writing) => {
          let fresh = 0;
          for (const bounce of bounces) if (await writing.get(Bounces).apply(bounce)) fresh++;
          const mailboxes = writing.model('mail.mass_mailing.mailbox');
          const { found } = await mailboxes.get(id, { select: { found: true } });
          await mailboxes.write(id, { cursor, found: (found ?? 0) + fresh });
        });
        await done?.();
        if (signal.aborted) return;
      }
    } catch (trouble) {
      error = (Error.isError(trouble) ? trouble.message : String(trouble)).slice(0, 500);
      this.ctx.log.warn({ err: trouble, mailbox: id }, 'A mailbox for mails that come back could not be read');
    }
    await write((writing) =>
      writing.model('mail.mass_mailing.mailbox').write(id, { last_read: writing.now(), last_error: error }),
    );
  }

  /**
   * Writes down that a mail came back, once for each mail. Answers whether it was new. Whoever has made up a report without the mail has no
   * effect: the signature does not fit.
   */
  async apply({ id, signature, kind, status, text }: Bounce): Promise<boolean> {
    if (!isShortSignature(this.ctx.config.sessionSecret, 'message', String(id), signature)) return false;
    const recipients = this.ctx.model(MailRecipient);
    const row = await recipients.first([['id', '=', id]], {
      select: { email: true, bounced: true, contact_id: { message_bounce: true } },
    });
    if (!row || row.bounced !== null) return false;
    if (kind === 'soft') {
      await recipients.write(id, { exception: text });
      return false;
    }
    await recipients.write(id, { state: 'bounced', bounced: this.ctx.now(), exception: text });
    const bounces = (row.contact_id?.message_bounce ?? 0) + 1;
    if (row.contact_id) await this.ctx.model(Contact).write(row.contact_id.id, { message_bounce: bounces });
    if (NO_ADDRESS.test(status) || bounces >= MOST_BOUNCES)
      await this.ctx.model(Exclusion).exclude(row.email, 'bounce', text);
    return true;
  }
}
