import { f, type Ids, InvalidInput, model } from '#core';
import { readBounces } from '../jobs/read-bounces.ts';

/** Where mails that come back are found: a mailbox of a server, or a file or folder on this machine. Read every five minutes. */
export class BounceMailbox extends model(
  'mail.mass_mailing.mailbox',
  {
    name: f.char({ required: true, size: 120, label: 'Mailbox' }),
    kind: f.selection(
      { imap: 'Mailbox of a server (IMAP)', mbox: 'File (mbox)', maildir: 'Folder (Maildir)' },
      { default: 'imap' },
    ),
    active: f.boolean({ default: true }),
    host: f.char({ size: 253, label: 'Server' }),
    port: f.integer({ default: 993, min: 1, max: 65_535 }),
    secure: f.boolean({ default: true, label: 'Encrypted' }),
    login: f.char({ size: 254 }),
    password: f.char({ size: 200, secret: true }),
    folder: f.char({ size: 200, default: 'INBOX' }),
    path: f.char({ size: 1_000, label: 'File or folder on the server', help: 'A whole path, /var/mail/bounces' }),
    last_read: f.datetime({ readonly: true, copy: false }),
    last_error: f.char({ size: 500, readonly: true, copy: false }),
    found: f.integer({ default: 0, readonly: true, copy: false, label: 'Mails that came back' }),
    /** How far it has been read. */
    cursor: f.json<{
      readonly file?: string;
      readonly offset?: number;
      readonly uid?: number;
      readonly validity?: string;
    }>({
      copy: false,
      secret: true,
    }),
  },
  { order: 'name', label: 'Mailbox for mails that come back' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { kind, host, path } of await this.read(ids, { select: { kind: true, host: true, path: true } })) {
      const missing = kind === 'imap' ? !host : !path?.startsWith('/');
      if (!missing) continue;
      const message = kind === 'imap' ? 'Name the server.' : 'Give the whole path, beginning with a slash.';
      const field = kind === 'imap' ? 'host' : 'path';
      throw new InvalidInput(message, { code: 'mass_mailing.bad_mailbox', fields: { [field]: message } });
    }
  }

  /** Reads them now, in the background. */
  async read_now(_ids: Ids): Promise<boolean> {
    await this.ctx.jobs.enqueue(readBounces, {}, { key: 'now' });
    return true;
  }
}

declare module '#core' {
  interface Models {
    'mail.mass_mailing.mailbox': BounceMailbox;
  }
}
