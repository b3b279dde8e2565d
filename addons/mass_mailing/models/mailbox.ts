import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { readBounces } from '../jobs/read-bounces.ts';
import type { Cursor, MailSource } from '../services/bounces/read-mails.ts';

/** Fields that determine where a password is sent. */
const access = { host: true, port: true, secure: true, login: true } as const;
type Access = keyof typeof access;

/** Location of bounces: a mailbox on a mail server, or a local file or folder. Read every five minutes. */
export class BounceMailbox extends model(
  'mail.mass_mailing.mailbox',
  {
    name: f.char({ required: true, size: 120, label: 'Mailbox' }),
    kind: f.selection(
      { imap: 'IMAP mailbox', mbox: 'File (mbox)', maildir: 'Folder (Maildir)' },
      { default: 'imap', label: 'Type' },
    ),
    active: f.boolean({ default: true }),
    host: f.char({ size: 253, label: 'Server' }),
    port: f.integer({ default: 993, min: 1, max: 65_535 }),
    secure: f.boolean({ default: true, label: 'Encrypted' }),
    login: f.char({ size: 254, label: 'User name' }),
    /** Write-only: stored in `stored_password`, and always empty when read. */
    password: f.char({
      size: 200,
      copy: false,
      label: 'New password',
      help: 'Never shown again. Leave empty to keep the current one. Enter it again if you change the server, port, user name or encryption.',
    }),
    stored_password: f.char({ size: 200, secret: true, copy: false }),
    has_password: f.boolean({ readonly: true, copy: false, label: 'Password set' }),
    folder: f.char({ size: 200, default: 'INBOX' }),
    path: f.char({ size: 1_000, label: 'File or folder on the server', help: 'Full path, such as /var/mail/bounces' }),
    last_read: f.datetime({ readonly: true, copy: false }),
    last_error: f.char({ size: 500, readonly: true, copy: false }),
    found: f.integer({ default: 0, readonly: true, copy: false, label: 'Reports read' }),
    /** Position up to which it has been read. */
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
  { order: 'name', label: 'Bounce mailbox' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<BounceMailbox>>[],
  ): Promise<readonly Values<FieldsOf<BounceMailbox>>[]> {
    return super.beforeCreate(values.map(withPassword));
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<BounceMailbox>>,
  ): Promise<Values<FieldsOf<BounceMailbox>>> {
    const isMoved = (await this.read(ids, { select: access })).some((row) =>
      Object.keys(access).some((name) => name in values && values[name as Access] !== row[name as Access]),
    );
    // A stored password is only used for the server, account and encryption it was entered for.
    const dropped = isMoved ? { stored_password: null, has_password: false } : {};
    return super.beforeWrite(ids, withPassword({ ...dropped, ...values }));
  }

  /** Connection settings of a mailbox, including its password. */
  async source(id: Id): Promise<MailSource & { readonly cursor: Cursor }> {
    const {
      stored_password: password,
      cursor,
      ...source
    } = await this.get(id, {
      select: { ...access, kind: true, folder: true, path: true, stored_password: true, cursor: true },
    });
    return { ...source, password, cursor: cursor ?? {} };
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { kind, host, path } of await this.read(ids, { select: { kind: true, host: true, path: true } })) {
      const missing = kind === 'imap' ? !host : !path?.startsWith('/');
      if (!missing) continue;
      const message = kind === 'imap' ? 'Enter the server.' : 'Enter the full path, starting with a slash.';
      const field = kind === 'imap' ? 'host' : 'path';
      throw new InvalidInput(message, { code: 'mass_mailing.bad_mailbox', fields: { [field]: message } });
    }
  }

  /** Reads the mailboxes now, in the background. */
  async read_now(_ids: Ids): Promise<boolean> {
    await this.ctx.jobs.enqueue(readBounces, {}, { key: 'now' });
    return true;
  }
}

/** Stores an entered password; an empty one keeps the current password. */
function withPassword({ password, ...values }: Values<FieldsOf<BounceMailbox>>): Values<FieldsOf<BounceMailbox>> {
  if (typeof password !== 'string' || password === '') return values;
  return { ...values, stored_password: password, has_password: true };
}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing.mailbox': BounceMailbox;
  }
}
