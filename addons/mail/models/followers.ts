import { Attachment, Partner } from '@pergola/base';
import {
  type Ctx,
  escapeHtml,
  type FileRef,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  type ModelRef,
  mixin,
  NotAllowed,
} from 'pergola';
import type { MailDefinition, MailMessage, QueuedMail } from 'pergola/mail';
import { notifyFollowers } from '../jobs/notify-followers.ts';
import { directMessage } from '../mails.ts';
import { mailBody } from '../services/mail-body.ts';
import { t } from '../texts.ts';
import { Follower } from './follower.ts';
import { Message } from './message.ts';
import { Notification } from './notification.ts';

/** A message to post on a record. */
export interface MessageInput {
  /** HTML; will be sanitised. */
  readonly body: string;
  /** Also the subject of the emails; without it, they announce an update of the record. */
  readonly subject?: string;
  /** Link target of the emails; defaults to the record. */
  readonly path?: string;
  /** Internal note: not emailed to followers, and only visible to employees. */
  readonly internal?: boolean;
  readonly type?: 'comment' | 'email' | 'notification';
  /** Message being replied to; must belong to the same record. */
  readonly parentId?: Id;
  /** Files the caller can read; unattached files are attached to the message. */
  readonly attachmentIds?: Ids;
  /** Whether visitors can see it. Defaults to true. */
  readonly published?: boolean;
  /** Contact of the author, if it isn't the caller. */
  readonly authorId?: Id | null;
  /** Followers who are notified separately and get no email. */
  readonly except?: Ids;
  /** Recipients in addition to the followers. Defaults to those suggested by the record, if an employee posts a public message. */
  readonly recipients?: readonly MessageRecipient[];
}

/** Suggested recipient of messages besides the followers, such as the customer of an order. */
export interface MessageRecipient {
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
  readonly partnerId: Id | null;
  /** Whether the recipient is selected by default. */
  readonly ticked: boolean;
}

/** An email definition bound to its values. */
export interface FilledMail {
  /** Sends the email. */
  readonly send: (ctx: Ctx, message: Omit<MailMessage, 'values'>) => Promise<QueuedMail | null>;
}

/** Binds values to an email definition. */
export function filledMail<V>(definition: MailDefinition<V>, values: V): FilledMail {
  return { send: (ctx, message) => ctx.mail.send(definition, { ...message, values }) };
}

/** A message as visible to readers of its record. */
export interface MessageView {
  readonly id: Id;
  readonly subject: string | null;
  readonly body: string | null;
  readonly author: string | null;
  readonly internal: boolean;
  readonly date: Date;
}

/**
 * Adds discussions and followers to a model: `model('forum.post', { … }, { mixins: [Followers] })`.
 *
 * Users who can read a record can read its messages and follow it; for all others, nothing is revealed. Each method first checks access to
 * the record, and then runs without access restrictions. The record's addon decides who can post.
 */
export const Followers = mixin(
  'mail.thread',
  {
    message_follower_ids: f.many2many('mail.followers', {
      compute: 'computeFollowerIds',
      label: 'Followers',
      groups: 'base.group_user',
    }),
    message_ids: f.many2many('mail.message', {
      compute: 'computeMessageIds',
      label: 'Messages',
      groups: 'base.group_user',
    }),
    message_is_follower: f.boolean({ compute: 'computeIsFollower', label: 'I’m following' }),
  },
  (Base) =>
    class extends Base {
      /** Posts a message on each record, and emails followers after the commit. Returns the IDs of the messages. */
      async messagePost(ids: Ids, message: MessageInput): Promise<Id[]> {
        const { ctx } = this;
        if (message.internal && !ctx.has('base.group_user')) {
          throw new NotAllowed('Only employees can write internal notes.', { code: 'mail.internal_note' });
        }
        const readable = await this.allowed(ids, 'read');
        const { attachmentIds = [] } = message;
        await requireFiles(ctx, attachmentIds);
        if (message.parentId !== undefined) await requireParent(ctx, message.parentId, this.modelName, readable);
        const messageIds = await systemModel(ctx, Message).create(
          readable.map((id) => ({
            model: this.modelName,
            res_id: id,
            author_id: message.authorId === undefined ? ctx.user.partnerId : message.authorId,
            subject: message.subject ?? null,
            body: message.body,
            internal: message.internal ?? false,
            type: message.type ?? ('comment' as const),
            parent_id: message.parentId ?? null,
            attachment_ids: attachmentIds,
            website_published: message.published ?? true,
            date: ctx.now(),
          })),
        );
        await attachFiles(ctx, attachmentIds, messageIds[0]);
        if (message.internal) return messageIds;
        for (const [index, id] of messageIds.entries()) {
          const notifiedContacts = await this.#mailRecipients(readable[index] ?? 0, id, message);
          await ctx.jobs.enqueue(
            notifyFollowers,
            {
              message: id,
              except: [...(message.except ?? []), ...notifiedContacts],
              ...(message.path ? { path: message.path } : {}),
            },
            { key: String(id) },
          );
        }
        return messageIds;
      }

      /** Emails a message to its recipients. Returns their contacts, who don't need another email as followers. */
      async #mailRecipients(record: Id, id: Id, message: MessageInput): Promise<Id[]> {
        const { ctx } = this;
        const isSpoken = (message.type ?? 'comment') === 'comment' && message.published !== false;
        const isStaff = ctx.user.id !== null && ctx.has('base.group_user');
        const recipients =
          message.recipients ??
          (isSpoken && isStaff ? (await this.messageRecipients(record)).filter(({ ticked }) => ticked) : []);
        if (recipients.length === 0) return [];
        const files = await filesOf(ctx, message.attachmentIds ?? []);
        const replyTo = await ownAddress(ctx);
        for (const { email, name, lang } of recipients) {
          const { send } = await this.directMail(record, message, lang ?? ctx.lang);
          const queued = await send(ctx, {
            to: { email, name, ...(lang ? { lang } : {}) },
            ...(replyTo ? { replyTo } : {}),
            attachments: files,
            about: { model: this.modelName, id: record },
          });
          if (queued) await systemModel(ctx, Notification).create(notificationRow(id, queued, { email, name }));
        }
        return recipients.flatMap(({ partnerId }) => partnerId ?? []);
      }

      /** Suggests recipients of messages on a record, besides its followers. */
      async messageRecipients(_id: Id): Promise<readonly MessageRecipient[]> {
        return [];
      }

      /** Email with a message for a recipient from {@link messageRecipients}, in their language. */
      async directMail(id: Id, message: MessageInput, lang: string): Promise<FilledMail> {
        const localizedCtx = this.ctx.as({ lang });
        const record = (await localizedCtx.modelNamed(this.modelName).displayNames([id])).get(id) ?? '';
        return filledMail(directMessage, {
          headline: message.subject || t(localizedCtx, 'Message about “{record}”', { record }),
          record,
          path: message.path ?? (await this.threadPaths([id])).get(id) ?? '',
          author: this.ctx.user.name,
          body: message.body,
        });
      }

      /**
       * Sends an email about a record, and stores the sent content in the record's discussion. Sends each key once. `author` is the contact
       * who wrote it.
       *
       * @returns the message's ID, or null if the key was already sent
       */
      async messageMail<V>(
        id: Id,
        definition: MailDefinition<V>,
        mail: MailMessage<V>,
        author: Id | null = this.ctx.user.partnerId,
      ): Promise<Id | null> {
        const { ctx } = this;
        const queued = await ctx.mail.send(definition, { ...mail, about: { model: this.modelName, id } });
        if (!queued) return null;
        const message = await systemModel(ctx, Message).create({
          model: this.modelName,
          res_id: id,
          author_id: author,
          subject: queued.subject,
          body: mailBody(queued.html),
          type: 'email',
          // The customer already has the email.
          website_published: false,
          date: ctx.now(),
        });
        const files = systemModel(ctx, Attachment);
        const attachments: Id[] = [];
        for (const file of mail.attachments ?? [])
          attachments.push(
            await files.create({
              name: file.name ?? 'attachment',
              datas: file,
              res_model: 'mail.message',
              res_id: message,
            }),
          );
        if (attachments.length > 0) await systemModel(ctx, Message).write(message, { attachment_ids: attachments });
        const { email, name = '' } = mail.to;
        await systemModel(ctx, Notification).create(notificationRow(message, queued, { email, name }));
        return message;
      }

      /** Logs a system event in a record's discussion, such as a payment or refund. Visible to employees; followers get no email. */
      async messageLog(id: Id, text: string): Promise<Id> {
        return systemModel(this.ctx, Message).create({
          model: this.modelName,
          res_id: id,
          author_id: this.ctx.user.partnerId,
          body: `<p>${escapeHtml(text)}</p>`,
          internal: true,
          type: 'notification',
          website_published: false,
          date: this.ctx.now(),
        });
      }

      /**
       * Site path of each record for links in emails; omits records without a page. Works for models with a `website_url`; others override
       * it.
       */
      async threadPaths(ids: Ids): Promise<Map<Id, string>> {
        if (!('website_url' in this.fields)) return new Map();
        const rows = await this.ctx
          .sudo()
          .modelNamed(this.modelName)
          .read(ids, { select: { website_url: true } });
        return new Map(
          rows.flatMap((row) => {
            const path: unknown = (row as Readonly<Record<string, unknown>>).website_url;
            return typeof path === 'string' && path.startsWith('/') ? [[row.id, path] as const] : [];
          }),
        );
      }

      async computeFollowerIds(ids: Ids): Promise<Map<Id, Ids>> {
        const rows = await systemModel(this.ctx, Follower).find(
          [
            ['res_model', '=', this.modelName],
            ['res_id', 'in', ids],
          ],
          { select: { res_id: true } },
        );
        return byRecord(ids, rows);
      }

      async computeMessageIds(ids: Ids): Promise<Map<Id, Ids>> {
        const rows = await systemModel(this.ctx, Message).find(
          [
            ['model', '=', this.modelName],
            ['res_id', 'in', ids],
          ],
          { select: { res_id: true } },
        );
        return byRecord(ids, rows);
      }

      async computeIsFollower(ids: Ids): Promise<Map<Id, boolean>> {
        const partner = this.ctx.user.partnerId;
        const rows =
          partner === null
            ? []
            : await systemModel(this.ctx, Follower).find(
                [
                  ['res_model', '=', this.modelName],
                  ['res_id', 'in', ids],
                  ['partner_id', '=', partner],
                ],
                { select: { res_id: true } },
              );
        const followed = new Set(rows.map(({ res_id }) => res_id));
        return new Map(ids.map((id) => [id, followed.has(id)]));
      }

      /** Messages of one record, newest first; internal ones for employees only. */
      async messages(id: Id, options: { limit?: number; offset?: number } = {}): Promise<MessageView[]> {
        if ((await this.allowed([id], 'read')).length === 0) return [];
        const employee = this.ctx.has('base.group_user');
        const rows = await systemModel(this.ctx, Message).find(
          [['model', '=', this.modelName], ['res_id', '=', id], ...(employee ? [] : publicOnly)],
          {
            select: { subject: true, body: true, author_id: { name: true }, internal: true, date: true },
            limit: options.limit ?? 30,
            offset: options.offset,
          },
        );
        return rows.map(({ author_id, ...row }) => ({ ...row, author: author_id?.name ?? null }));
      }

      /** Adds followers; existing ones are unchanged. Skips records the caller can't read. */
      async messageSubscribe(ids: Ids, partnerIds: Ids): Promise<void> {
        const followers = systemModel(this.ctx, Follower);
        for (const id of await this.allowed(ids, 'read')) {
          const existing = await followers.find(
            [
              ['res_model', '=', this.modelName],
              ['res_id', '=', id],
              ['partner_id', 'in', partnerIds],
            ],
            {
              select: { partner_id: true },
            },
          );
          const followerIds = new Set(existing.map(({ partner_id }) => partner_id));
          const fresh = partnerIds.filter((partner) => !followerIds.has(partner));
          await followers.create(fresh.map((partner_id) => ({ res_model: this.modelName, res_id: id, partner_id })));
        }
      }

      /** Removes followers. */
      async messageUnsubscribe(ids: Ids, partnerIds: Ids): Promise<void> {
        const followers = systemModel(this.ctx, Follower);
        const followerRows = await followers.search([
          ['res_model', '=', this.modelName],
          ['res_id', 'in', ids],
          ['partner_id', 'in', partnerIds],
        ]);
        await followers.unlink(followerRows);
      }

      /** Whether a contact follows the record; false if the caller can't read it. */
      async isFollower(id: Id, partnerId: Id): Promise<boolean> {
        if ((await this.allowed([id], 'read')).length === 0) return false;
        const count = await systemModel(this.ctx, Follower).count([
          ['res_model', '=', this.modelName],
          ['res_id', '=', id],
          ['partner_id', '=', partnerId],
        ]);
        return count > 0;
      }
    },
);

/** Notification row that links a message, its recipient and the email. */
function notificationRow(message: Id, { id }: QueuedMail, { email, name }: Pick<MessageRecipient, 'email' | 'name'>) {
  return {
    mail_message_id: message,
    email,
    name: name.slice(0, 120) || null,
    outbox_id: id,
  };
}

/** Reply-to address for the caller's messages; null if they have no address. */
async function ownAddress(ctx: Ctx): Promise<{ readonly email: string; readonly name: string } | null> {
  const { partnerId: partner } = ctx.user;
  if (partner === null) return null;
  const { email, name } = await systemModel(ctx, Partner).get(partner, { select: { email: true, name: true } });
  return email && isEmailAddress(email) ? { email, name } : null;
}

async function filesOf(ctx: Ctx, ids: Ids): Promise<FileRef[]> {
  const rows = await systemModel(ctx, Attachment).read(ids, { select: { name: true, datas: true } });
  return rows.flatMap(({ name, datas }) => (datas ? [{ ...datas, name }] : []));
}

const publicOnly = [
  ['internal', '=', false],
  ['website_published', '=', true],
] as const;

/** These models have restrictive permissions; access to the record was already checked. */
function systemModel<I>(ctx: Ctx, ref: ModelRef<I>): I {
  return ctx.sudo().model(ref);
}

function byRecord(ids: Ids, rows: readonly { id: Id; res_id: number | null }[]): Map<Id, Ids> {
  const rowsByRecord = Map.groupBy(rows, ({ res_id }) => res_id ?? 0);
  return new Map(ids.map((id) => [id, (rowsByRecord.get(id) ?? []).map((row) => row.id)]));
}

/** @throws NotAllowed for files the caller can't read, because attaching them would expose them to the readers of the message */
async function requireFiles(ctx: Ctx, attachmentIds: Ids): Promise<void> {
  if (ctx.su || attachmentIds.length === 0) return;
  const readable = await ctx.model(Attachment).readable(attachmentIds);
  if (readable.length < new Set(attachmentIds).size) {
    throw new NotAllowed('You don’t have access to these files.', { code: 'mail.files_of_others' });
  }
}

/** Attaches files without a record to the message, so its readers can read them. */
async function attachFiles(ctx: Ctx, attachmentIds: Ids, message: Id | undefined): Promise<void> {
  if (attachmentIds.length === 0 || message === undefined) return;
  const files = systemModel(ctx, Attachment);
  const unattached = await files.search([
    ['id', 'in', attachmentIds],
    ['res_model', '=', null],
  ]);
  if (unattached.length > 0) await files.write(unattached, { res_model: 'mail.message', res_id: message });
}

/** @throws InvalidInput unless the message belongs to the record */
async function requireParent(ctx: Ctx, parentId: Id, model: string, records: Ids): Promise<void> {
  const count = await systemModel(ctx, Message).count([
    ['id', '=', parentId],
    ['model', '=', model],
    ['res_id', 'in', records],
  ]);
  if (count === 0 || records.length !== 1) {
    throw new InvalidInput('A reply must be on the same record as the message it answers.', {
      code: 'mail.other_record',
    });
  }
}
