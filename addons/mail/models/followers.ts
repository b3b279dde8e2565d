import { type Ctx, type Id, type Ids, type ModelRef, mixin, NotAllowed } from '#core';
import { notifyFollowers } from '../jobs/notify.ts';
import { Follower } from './follower.ts';
import { Message } from './message.ts';

/** What is said on a record. */
export interface Saying {
  /** HTML; sanitised. */
  readonly body: string;
  readonly subject?: string;
  /** An internal note: followers get no mail, and only employees see it. */
  readonly internal?: boolean;
  readonly type?: 'comment' | 'email' | 'notification';
  readonly parentId?: Id;
  readonly attachmentIds?: Ids;
}

/** A message as readers of its record see it. */
export interface Said {
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
 * Followers and messages have no rights of their own: whoever may read a record may read what is said on it and follow it, and nobody else learns that
 * there is anything (T16). So each method looks at the record first, and then works with rights lifted.
 */
export const Followers = mixin(
  'mail.thread',
  {},
  (Base) =>
    class extends Base {
      /** Says something on each record; those who follow get a mail after the commit. Answers the messages' ids. */
      async messagePost(ids: Ids, saying: Saying): Promise<Id[]> {
        const { ctx } = this;
        if (saying.internal && !ctx.has('base.group_user')) {
          throw new NotAllowed('Only employees write internal notes.', { code: 'mail.internal_note' });
        }
        const readable = await this.allowed(ids, 'read');
        const made = await all(ctx, Message).create(
          readable.map((id) => ({
            model: this.modelName,
            res_id: id,
            author_id: ctx.user.partnerId,
            subject: saying.subject ?? null,
            body: saying.body,
            internal: saying.internal ?? false,
            type: saying.type ?? ('comment' as const),
            parent_id: saying.parentId ?? null,
            attachment_ids: saying.attachmentIds ?? [],
            date: ctx.now(),
          })),
        );
        if (!saying.internal)
          for (const id of made) await ctx.jobs.enqueue(notifyFollowers, { message: id }, { key: String(id) });
        return made;
      }

      /** Messages of one record, the latest first; internal ones for employees only. */
      async messages(id: Id, options: { limit?: number; offset?: number } = {}): Promise<Said[]> {
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

const publicOnly = [
  ['internal', '=', false],
  ['website_published', '=', true],
] as const;

/** The rows themselves are open to nobody: the record's own rights have been looked at. */
function all<I>(ctx: Ctx, ref: ModelRef<I>): I {
  return ctx.sudo().model(ref);
}
