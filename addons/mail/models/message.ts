import { FollowsRecord } from '@pergola/base';
import { publicMethod, type ThreadView } from '@pergola/web';
import { emailKey, f, type Id, InvalidInput, model, z } from 'pergola';
import { Following } from '../services/following.ts';
import { RecordHistory } from '../services/history.ts';
import type { Thread } from '../services/thread.ts';
import { Threads } from '../services/threads.ts';
import { t } from '../texts.ts';
import type { MessageRecipient } from './followers.ts';

const record = { model: z.string().min(1).max(64), id: z.number().int().positive() };
const id = z.number().int().positive();

const readInput = z.object({ ...record, limit: z.number().int().min(1).max(500).default(30) });
const postInput = z.object({
  ...record,
  /** HTML; will be sanitised. */
  body: z.string().max(100_000),
  subject: z.string().max(255).nullish(),
  /** Internal note: only visible to employees, and not emailed. */
  internal: z.boolean().default(false),
  attachment_ids: z.array(id).max(50).default([]),
  /** Recipients besides the followers, from the suggestions of `thread_read`; defaults to those selected there. */
  emails: z.array(z.string().max(254)).max(20).optional(),
});
const followInput = z.object({ ...record, on: z.boolean(), partner_ids: z.array(id).max(100).default([]) });
const restoreInput = z.object({ ...record, change: id });

/** A message on a record: a comment for all its readers, or an internal note. Only visible to users who can read the record. */
export class Message extends model(
  'mail.message',
  {
    model: f.char({ label: 'Model' }),
    res_id: f.integer({ label: 'Record' }),
    parent_id: f.many2one('mail.message', { empty: 'none', label: 'In reply to' }),
    author_id: f.many2one('res.partner', { empty: 'none' }),
    email_from: f.char({ label: 'From' }),
    subject: f.char(),
    body: f.html({ sanitize: 'comment' }),
    type: f.selection({ comment: 'Comment', email: 'Email', notification: 'Notification' }, { default: 'comment' }),
    internal: f.boolean({ help: 'Visible to employees only' }),
    website_published: f.boolean({ default: true, label: 'Visible on the website' }),
    date: f.datetime({ required: true }),
    attachment_ids: f.many2many('ir.attachment', { empty: 'none' }),
    notification_ids: f.one2many('mail.notification', 'mail_message_id', {
      groups: 'base.group_system',
      label: 'Emails',
    }),
  },
  {
    order: 'date desc, id desc',
    nameField: 'subject',
    attachedTo: { model: 'model', id: 'res_id' },
    indexes: [['model', 'res_id', 'date']],
    label: 'Message',
    mixins: [FollowsRecord],
  },
) {
  /** Returns the thread of a record: messages and notes, files, followers, changes. */
  async thread_read(input: z.infer<typeof readInput>): Promise<ThreadView> {
    return this.ctx.get(Threads).view(input);
  }

  /**
   * Posts a message on a record, or adds a note for employees. The author becomes a follower of the record.
   *
   * @returns the message's ID
   * @throws InvalidInput for recipients not suggested by the record, or for a note with recipients
   */
  async thread_post(input: z.infer<typeof postInput>): Promise<Id | null> {
    const { attachment_ids: attachmentIds, body, emails, internal, subject } = input;
    const thread = await this.ctx.get(Threads).open(input);
    if (attachmentIds.length === 0 && isBlank(body)) {
      const message = t(this.ctx, 'Write something, or add a file.');
      throw new InvalidInput(message, { code: 'mail.empty_message', fields: { body: message } });
    }
    const recipients = emails && (await this.#recipients(thread, input.id, emails));
    if (internal && recipients && recipients.length > 0)
      throw new InvalidInput('A note is for colleagues only. Write a message to reach these recipients.', {
        code: 'mail.note_with_recipients',
      });
    const [messageId] = await thread.messagePost([input.id], {
      body,
      internal,
      attachmentIds,
      ...(recipients ? { recipients } : {}),
      ...(subject ? { subject } : {}),
    });
    const ownPartner = this.ctx.get(Following).ownPartner();
    if (!internal && ownPartner !== null) await thread.messageSubscribe([input.id], [ownPartner]);
    return messageId ?? null;
  }

  async #recipients(thread: Thread, record: Id, emails: readonly string[]): Promise<MessageRecipient[]> {
    const proposed = await thread.messageRecipients(record);
    const emailKeys = new Set(emails.map(emailKey));
    const recipients = proposed.filter(({ email }) => emailKeys.has(emailKey(email)));
    if (recipients.length < emailKeys.size) {
      const message = t(this.ctx, 'A recipient’s address has changed. Reload the page and choose again.');
      throw new InvalidInput(message, { code: 'mail.unknown_recipient', fields: { emails: message } });
    }
    return recipients;
  }

  /** Adds or removes the caller (or other contacts) as followers of a record. */
  async thread_follow(input: z.infer<typeof followInput>): Promise<true> {
    await this.ctx.get(Threads).setFollowing({ ...input, partners: input.partner_ids });
    return true;
  }

  /** Restores the value of a field before a change. */
  async thread_restore(input: z.infer<typeof restoreInput>): Promise<true> {
    await this.ctx.get(Threads).open(input);
    await this.ctx.get(RecordHistory).restore(input);
    return true;
  }
}

function isBlank(html: string): boolean {
  return !/<img\b/i.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === '';
}

/** Backend calls for the thread of a record; each checks access to that record first. */
export const messageCalls = [
  publicMethod(Message, 'thread_read', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: false,
    onRecords: false,
    args: readInput,
  }),
  publicMethod(Message, 'thread_post', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    mails: true,
    args: postInput,
  }),
  publicMethod(Message, 'thread_follow', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    args: followInput,
  }),
  publicMethod(Message, 'thread_restore', {
    right: { none: 'The record that is talked about decides, and is asked for its rights.' },
    writes: true,
    onRecords: false,
    args: restoreInput,
  }),
];

declare module 'pergola' {
  interface Models {
    'mail.message': Message;
  }
}
