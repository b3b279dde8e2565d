import { Attachment, Partner } from '@pergola/base';
import type { ShownFile, ShownMail, ThreadOf, ThreadView } from '@pergola/web';
import { app, type Id, NotAllowed, NotFound, service } from 'pergola';
import { Follower } from '../models/follower.ts';
import { Notification } from '../models/notification.ts';
import { Following } from './following.ts';
import { RecordHistory } from './history.ts';
import { type Thread, threadOf } from './thread.ts';

const fileFields = { name: true, mimetype: true, file_size: true } as const;

/** Threads in the backend: messages and notes, files, followers, changes. */
export class Threads extends service('mail.threads', { ctx: app.ctx, history: RecordHistory, following: Following }) {
  /**
   * Returns the thread of a record the caller can read.
   *
   * @throws NotAllowed for visitors and customers, NotFound if the record doesn't exist or isn't visible
   */
  async open({ model, id }: ThreadOf): Promise<Thread> {
    if (!this.ctx.has('base.group_user'))
      throw new NotAllowed('Only employees can see messages on records.', { code: 'mail.employees_only' });
    const thread = threadOf(this.ctx, model);
    const readable = thread ? await thread.allowed([id], 'read') : [];
    if (!thread || readable.length === 0)
      throw new NotFound('This record doesn’t exist or can’t be followed.', { code: 'mail.no_thread' });
    return thread;
  }

  /** Contents of a thread; newest first. */
  async view(input: ThreadOf & { readonly limit: number }): Promise<ThreadView> {
    const { model, id, limit } = input;
    const thread = await this.open(input);
    const mayWrite = (await this.ctx.modelNamed(model).allowed([id], 'write')).length > 0;
    // Access to the record was checked; its messages, files and followers share it.
    const all = this.ctx.sudo();
    const ofRecord = [
      ['model', '=', model],
      ['res_id', '=', id],
    ] as const;
    const messages = await all.model('mail.message').find(ofRecord, {
      select: {
        date: true,
        author_id: { name: true },
        subject: true,
        body: true,
        internal: true,
        type: true,
        attachment_ids: true,
      },
      limit,
    });
    const filesOf = await this.#files(messages.flatMap(({ attachment_ids }) => attachment_ids));
    const mailsOf = await this.#mails(messages.map((message) => message.id));
    const ownPartner = this.following.ownPartner();
    const followers = await this.#followers(input);
    return {
      messages: messages.map(({ author_id, attachment_ids, body, ...rest }) => ({
        ...rest,
        body: body ?? '',
        author: author_id?.name ?? null,
        authorId: author_id?.id ?? null,
        mine: ownPartner !== null && author_id?.id === ownPartner,
        mails: mailsOf.get(rest.id) ?? [],
        files: attachment_ids.flatMap((file) => filesOf.get(file) ?? []),
      })),
      messageCount: await all.model('mail.message').count(ofRecord),
      changes: await this.history.of({ model, id, limit, mayWrite }),
      files: await this.#recordFiles(input),
      followers: followers.map(({ partner_id }) => ({
        partnerId: partner_id?.id ?? 0,
        name: partner_id?.name ?? '',
        me: partner_id?.id === ownPartner,
      })),
      following: followers.some(({ partner_id }) => ownPartner !== null && partner_id?.id === ownPartner),
      recipients: (await thread.messageRecipients(id)).map(({ email, name, ticked }) => ({ email, name, ticked })),
      may: { write: mayWrite },
    };
  }

  async #mails(messages: readonly Id[]): Promise<ReadonlyMap<Id, readonly ShownMail[]>> {
    const rows = await this.ctx
      .sudo()
      .model(Notification)
      .find([['mail_message_id', 'in', messages]], {
        select: {
          mail_message_id: true,
          res_partner_id: true,
          name: true,
          email: true,
          notification_status: true,
          failure_reason: true,
        },
      });
    return new Map(
      [...Map.groupBy(rows, (row) => row.mail_message_id)].map(([message, sent]) => [
        message,
        sent.map((row) => ({
          id: row.id,
          name: row.name,
          email: row.res_partner_id === null ? row.email : '',
          state: row.notification_status ?? ('queued' as const),
          error: row.failure_reason,
        })),
      ]),
    );
  }

  /** Names only, because addresses are private. */
  #followers({ model, id }: ThreadOf) {
    return this.ctx
      .sudo()
      .model(Follower)
      .find(
        [
          ['res_model', '=', model],
          ['res_id', '=', id],
        ],
        { select: { partner_id: { name: true } }, limit: 500 },
      );
  }

  async #files(ids: readonly Id[]): Promise<ReadonlyMap<Id, ShownFile>> {
    const readable = await this.ctx.model(Attachment).readable(ids);
    const rows = await this.ctx.sudo().model(Attachment).read(readable, { select: fileFields });
    return new Map(rows.map((row) => [row.id, toFile(row)]));
  }

  async #recordFiles({ model, id }: ThreadOf): Promise<readonly ShownFile[]> {
    const rows = await this.ctx
      .sudo()
      .model(Attachment)
      .find(
        [
          ['res_model', '=', model],
          ['res_id', '=', id],
        ],
        { select: fileFields, limit: 200 },
      );
    return rows.map(toFile);
  }

  /** Adds or removes the caller, or other contacts they can read, as followers. Changing others requires write access to the record. */
  async setFollowing(input: ThreadOf & { readonly on: boolean; readonly partners: readonly Id[] }): Promise<void> {
    const { id, on, partners } = input;
    const thread = await this.open(input);
    const ownPartner = this.following.ownPartner();
    const partnerIds = partners.length > 0 ? partners : ownPartner === null ? [] : [ownPartner];
    if (partnerIds.some((partner) => partner !== ownPartner)) {
      const mayWrite = (await this.ctx.modelNamed(input.model).allowed([id], 'write')).length > 0;
      const readable = on ? await this.ctx.model(Partner).allowed(partnerIds, 'read') : partnerIds;
      if (!mayWrite || readable.length < new Set(partnerIds).size)
        throw new NotAllowed('You don’t have permission to manage followers here.', {
          code: 'mail.followers_not_allowed',
        });
    }
    if (on) await thread.messageSubscribe([id], partnerIds);
    else await thread.messageUnsubscribe([id], partnerIds);
  }
}

function toFile(row: { id: Id; name: string; mimetype: string | null; file_size: number | null }): ShownFile {
  return { id: row.id, name: row.name, mimetype: row.mimetype, size: row.file_size ?? 0 };
}
