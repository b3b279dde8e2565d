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
import { Attachment, Partner } from '#addons/base';
import { notifyFollowers } from '../jobs/notify-followers.ts';
import { directMessage } from '../mails.ts';
import { mailBody } from '../services/mail-body.ts';
import { t } from '../texts.ts';
import { Follower } from './follower.ts';
import { Message } from './message.ts';
import { Notification } from './notification.ts';

/** What is said on a record. */
export interface MessageInput {
  /** HTML; sanitised. */
  readonly body: string;
  /** Also of the mails; without one they say that there is news of the record. */
  readonly subject?: string;
  /** Where mails lead to, if not to the record. */
  readonly path?: string;
  /** An internal note: followers get no mail, and only employees see it. */
  readonly internal?: boolean;
  readonly type?: 'comment' | 'email' | 'notification';
  /** The message it answers; of the same record. */
  readonly parentId?: Id;
  /** Files the caller may read; those that hang on nothing hang on the message from then on. */
  readonly attachmentIds?: Ids;
  /** Whether visitors see it. Default true. */
  readonly published?: boolean;
  /** The contact who speaks, where it is not the caller. */
  readonly authorId?: Id | null;
  /** Followers who hear of it in another way, and get no mail. */
  readonly except?: Ids;
  /** Recipients besides the followers. Default: those that the record proposes, if an employee writes to everybody. */
  readonly recipients?: readonly MessageRecipient[];
}

/** Somebody a record proposes as recipient of messages, besides its followers: the customer of an order. */
export interface MessageRecipient {
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
  readonly partnerId: Id | null;
  /** Whether messages go there unless their author unticks it. */
  readonly ticked: boolean;
}

/** An email with the values it is filled with. */
export interface FilledMail {
  /** Sends it. */
  readonly send: (ctx: Ctx, about: Omit<MailMessage, 'values'>) => Promise<QueuedMail | null>;
}

/** Puts an email and its values together. */
export function filledMail<V>(definition: MailDefinition<V>, values: V): FilledMail {
  return { send: (ctx, about) => ctx.mail.send(definition, { ...about, values }) };
}

/** A message as readers of its record see it. */
export interface MessageView {
  readonly id: Id;
  readonly subject: string | null;
  readonly body: string | null;
  readonly author: string | null;
  readonly internal: boolean;
  readonly date: Date;
}

/**
 * Records on which people can speak and be kept up to date: `model('forum.post', { … }, { mixins: [Followers] })`.
 *
 * Whoever may read a record may read what is said on it and follow it, and nobody else learns that there is anything: each method looks at the
 * record first, and then works with rights lifted. Who may speak on it is its addon's matter.
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
    message_is_follower: f.boolean({ compute: 'computeIsFollower', label: 'I follow this' }),
  },
  (Base) =>
    class extends Base {
      /** Says something on each record; those who follow get a mail after the commit. Answers the messages' ids. */
      async messagePost(ids: Ids, message: MessageInput): Promise<Id[]> {
        const { ctx } = this;
        if (message.internal && !ctx.has('base.group_user')) {
          throw new NotAllowed('Only employees write internal notes.', { code: 'mail.internal_note' });
        }
        const readable = await this.allowed(ids, 'read');
        const { attachmentIds = [] } = message;
        await requireFiles(ctx, attachmentIds);
        if (message.parentId !== undefined) await requireParent(ctx, message.parentId, this.modelName, readable);
        const made = await all(ctx, Message).create(
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
        await hangFiles(ctx, attachmentIds, made[0]);
        if (message.internal) return made;
        for (const [index, id] of made.entries()) {
          const told = await this.#mailRecipients(readable[index] ?? 0, id, message);
          await ctx.jobs.enqueue(
            notifyFollowers,
            {
              message: id,
              except: [...(message.except ?? []), ...told],
              ...(message.path ? { path: message.path } : {}),
            },
            { key: String(id) },
          );
        }
        return made;
      }

      /** Emails a message to its recipients. Returns their contacts, who need no second email as followers. */
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
          if (queued) await all(ctx, Notification).create(notified(id, queued, { email, name }));
        }
        return recipients.flatMap(({ partnerId }) => partnerId ?? []);
      }

      /** Who should get what is written on a record, besides its followers. */
      async messageRecipients(_id: Id): Promise<readonly MessageRecipient[]> {
        return [];
      }

      /** The email by which a recipient of {@link messageRecipients} gets a message, in their language. */
      async directMail(id: Id, message: MessageInput, lang: string): Promise<FilledMail> {
        const speaking = this.ctx.as({ lang });
        const record = (await speaking.modelNamed(this.modelName).displayNames([id])).get(id) ?? '';
        return filledMail(directMessage, {
          headline: message.subject || t(speaking, 'A message about “{record}”', { record }),
          record,
          path: message.path ?? (await this.threadPaths([id])).get(id) ?? '',
          author: this.ctx.user.name,
          body: message.body,
        });
      }

      /**
       * Sends an email about a record and keeps it in the record's discussion as it was sent. Sends each key once. `author`: the contact who wrote it.
       *
       * @returns the message's id, or null if the key was sent before
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
        const message = await all(ctx, Message).create({
          model: this.modelName,
          res_id: id,
          author_id: author,
          subject: queued.subject,
          body: mailBody(queued.html),
          type: 'email',
          // The customer has the email itself.
          website_published: false,
          date: ctx.now(),
        });
        const files = all(ctx, Attachment);
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
        if (attachments.length > 0) await all(ctx, Message).write(message, { attachment_ids: attachments });
        const { email, name = '' } = mail.to;
        await all(ctx, Notification).create(notified(message, queued, { email, name }));
        return message;
      }

      /** Notes in a record's discussion what the system did: a payment, a refund. Colleagues see it, followers get no email. */
      async messageLog(id: Id, text: string): Promise<Id> {
        return all(this.ctx, Message).create({
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
       * Where each record is read on the site, for links in mails; records without a page of their own are left out. Models with a `website_url` need
       * nothing; others override it.
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
        const rows = await all(this.ctx, Follower).find(
          [
            ['res_model', '=', this.modelName],
            ['res_id', 'in', ids],
          ],
          { select: { res_id: true } },
        );
        return byRecord(ids, rows);
      }

      async computeMessageIds(ids: Ids): Promise<Map<Id, Ids>> {
        const rows = await all(this.ctx, Message).find(
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
            : await all(this.ctx, Follower).find(
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

      /** Messages of one record, the latest first; internal ones for employees only. */
      async messages(id: Id, options: { limit?: number; offset?: number } = {}): Promise<MessageView[]> {
        if ((await this.allowed([id], 'read')).length === 0) return [];
        const employee = this.ctx.has('base.group_user');
        const rows = await all(this.ctx, Message).find(
          [['model', '=', this.modelName], ['res_id', '=', id], ...(employee ? [] : publicOnly)],
          {
            select: { subject: true, body: true, author_id: { name: true }, internal: true, date: true },
            limit: options.limit ?? 30,
            offset: options.offset,
          },
        );
        return rows.map(({ author_id, ...row }) => ({ ...row, author: author_id?.name ?? null }));
      }

      /** Makes contacts follow; those who do already stay as they are. Records the caller may not read are passed over. */
      async messageSubscribe(ids: Ids, partnerIds: Ids): Promise<void> {
        const followers = all(this.ctx, Follower);
        for (const id of await this.allowed(ids, 'read')) {
          const known = await followers.find(
            [
              ['res_model', '=', this.modelName],
              ['res_id', '=', id],
              ['partner_id', 'in', partnerIds],
            ],
            {
              select: { partner_id: true },
            },
          );
          const there = new Set(known.map(({ partner_id }) => partner_id));
          const fresh = partnerIds.filter((partner) => !there.has(partner));
          await followers.create(fresh.map((partner_id) => ({ res_model: this.modelName, res_id: id, partner_id })));
        }
      }

      /** Ends their following. */
      async messageUnsubscribe(ids: Ids, partnerIds: Ids): Promise<void> {
        const followers = all(this.ctx, Follower);
        const found = await followers.search([
          ['res_model', '=', this.modelName],
          ['res_id', 'in', ids],
          ['partner_id', 'in', partnerIds],
        ]);
        await followers.unlink(found);
      }

      /** Whether a contact follows the record; false too where the caller may not read it. */
      async isFollower(id: Id, partnerId: Id): Promise<boolean> {
        if ((await this.allowed([id], 'read')).length === 0) return false;
        const count = await all(this.ctx, Follower).count([
          ['res_model', '=', this.modelName],
          ['res_id', '=', id],
          ['partner_id', '=', partnerId],
        ]);
        return count > 0;
      }
    },
);

/** The row that says by which email a recipient got a message. */
function notified(message: Id, { id }: QueuedMail, { email, name }: Pick<MessageRecipient, 'email' | 'name'>) {
  return {
    mail_message_id: message,
    email,
    name: name.slice(0, 120) || null,
    outbox_id: id,
  };
}

/** Where answers to the caller's messages go; null without an address of their own. */
async function ownAddress(ctx: Ctx): Promise<{ readonly email: string; readonly name: string } | null> {
  const { partnerId: partner } = ctx.user;
  if (partner === null) return null;
  const { email, name } = await all(ctx, Partner).get(partner, { select: { email: true, name: true } });
  return email && isEmailAddress(email) ? { email, name } : null;
}

async function filesOf(ctx: Ctx, ids: Ids): Promise<FileRef[]> {
  const rows = await all(ctx, Attachment).read(ids, { select: { name: true, datas: true } });
  return rows.flatMap(({ name, datas }) => (datas ? [{ ...datas, name }] : []));
}

const publicOnly = [
  ['internal', '=', false],
  ['website_published', '=', true],
] as const;

/** The rows themselves are open to nobody: the record's own rights have been looked at. */
function all<I>(ctx: Ctx, ref: ModelRef<I>): I {
  return ctx.sudo().model(ref);
}

function byRecord(ids: Ids, rows: readonly { id: Id; res_id: number | null }[]): Map<Id, Ids> {
  const found = Map.groupBy(rows, ({ res_id }) => res_id ?? 0);
  return new Map(ids.map((id) => [id, (found.get(id) ?? []).map((row) => row.id)]));
}

/** @throws NotAllowed for files the caller may not read: hanging them on a message would show them to its readers */
async function requireFiles(ctx: Ctx, attachmentIds: Ids): Promise<void> {
  if (ctx.su || attachmentIds.length === 0) return;
  const readable = await ctx.model(Attachment).readable(attachmentIds);
  if (readable.length < new Set(attachmentIds).size) {
    throw new NotAllowed('You may not use these files.', { code: 'mail.files_of_others' });
  }
}

/** Files that hang on nothing are read by whoever may read the message they came with. */
async function hangFiles(ctx: Ctx, attachmentIds: Ids, message: Id | undefined): Promise<void> {
  if (attachmentIds.length === 0 || message === undefined) return;
  const files = all(ctx, Attachment);
  const loose = await files.search([
    ['id', 'in', attachmentIds],
    ['res_model', '=', null],
  ]);
  if (loose.length > 0) await files.write(loose, { res_model: 'mail.message', res_id: message });
}

/** @throws InvalidInput unless the message is one of the record's own */
async function requireParent(ctx: Ctx, parentId: Id, model: string, records: Ids): Promise<void> {
  const own = await all(ctx, Message).count([
    ['id', '=', parentId],
    ['model', '=', model],
    ['res_id', 'in', records],
  ]);
  if (own === 0 || records.length !== 1) {
    throw new InvalidInput('An answer belongs to the record of what it answers.', { code: 'mail.other_record' });
  }
}
