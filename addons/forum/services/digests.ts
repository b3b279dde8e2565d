import {
  app,
  type Ctx,
  type Domain,
  type FieldsOf,
  type Id,
  identityOf,
  service,
  signText,
  TooMany,
  verifyText,
} from 'pergola';
import type { DueMail } from 'pergola/mail';
import { DAY, HOUR } from '../constants.ts';
import { type DigestLine, digestMail } from '../mails/digest.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumUser } from '../models/res-users.ts';
import { questionPath } from '../routes/paths.ts';
import { plural } from '../texts.ts';

const PURPOSE = 'forum.digest';
/** Minimum time between digests, a little shorter than the named interval. */
const INTERVALS = { daily: 20 * HOUR, weekly: 6.5 * DAY } as const;
const LINES = 5;
/** Number of users processed per batch. */
export const DIGEST_BATCH = 200;

/** Digest emails with the best posts since the last digest and unanswered questions. */
export class Digests extends service('forum.digests', { ctx: app.ctx }) {
  /** Returns a batch of users whose digest is due. */
  due(digest: keyof typeof INTERVALS, after: Id): Promise<Id[]> {
    const before = new Date(this.ctx.now().getTime() - INTERVALS[digest]);
    return this.ctx
      .model(ForumUser)
      .search(
        [
          ['forum_digest', '=', digest],
          ['active', '=', true],
          ['karma', '>', 0],
          ['email_verified', '=', true],
          ['id', '>', after],
          '|',
          ['forum_digest_date', '=', null],
          ['forum_digest_date', '<', before],
        ],
        { order: 'id', limit: DIGEST_BATCH },
      );
  }

  /** Sends a user's digest unless it would be empty. */
  async send(user: Id, digest: keyof typeof INTERVALS): Promise<void> {
    const { ctx } = this;
    const row = await ctx.model(ForumUser).get(user, {
      select: { lang: true, forum_digest_date: true, partner_id: { name: true, email: true, lang: true } },
    });
    await ctx.model(ForumUser).write(user, { forum_digest_date: new Date(ctx.now()) });
    const identity = await identityOf(ctx, user);
    const email = row.partner_id?.email;
    if (!identity || !email) return;
    const lang = row.lang ?? row.partner_id?.lang ?? ctx.lang;
    // Only includes posts the recipient can see.
    const reader = ctx.as({ user: identity, lang });
    const since = row.forum_digest_date ?? new Date(ctx.now().getTime() - INTERVALS[digest]);
    const top = await linesOf(
      reader,
      [
        ['last_activity_date', '>', since],
        ['vote_count', '>', 0],
      ],
      'vote_count desc, id desc',
    );
    const open = await linesOf(
      reader,
      [
        ['create_date', '>', since],
        ['child_count', '=', 0],
        ['create_uid', '!=', user],
      ],
      'id desc',
    );
    if (top.length + open.length === 0) return;
    const stop = this.link(user);
    try {
      await ctx.mail.send(digestMail, {
        to: { email, name: row.partner_id?.name ?? '', lang },
        values: { name: row.partner_id?.name ?? '', top, open, stop },
        key: `forum.digest/${user}/${ctx.now().getTime()}`,
        headers: {
          'List-Unsubscribe': `<${ctx.config.baseUrl}${stop}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /** Unsubscribe link for digests; it never expires. */
  link(user: Id): string {
    return `/forum/digest/${user}.${signText(this.ctx.config.sessionSecret, PURPOSE, String(user))}`;
  }

  /** User of an unsubscribe link; null if the signature is invalid. */
  ownerOf(token: string): Id | null {
    const [, user = '', signature = ''] = /^(\d{1,15})\.([\w-]{20,100})$/.exec(token) ?? [];
    return user !== '' && verifyText(this.ctx.config.sessionSecret, PURPOSE, user, signature) ? Number(user) : null;
  }
}

/** Whether the recipient of a queued digest is still subscribed. */
export async function isDigestWanted(ctx: Ctx, { name, key }: DueMail): Promise<boolean> {
  const user = /^forum\.digest\/(\d+)\//.exec(key ?? '')?.[1];
  if (name !== digestMail.name || user === undefined) return true;
  const subscribed = [
    ['id', '=', Number(user)],
    ['active', '=', true],
    ['forum_digest', '!=', 'none'],
  ] as const;
  return (await ctx.model(ForumUser).count(subscribed)) > 0;
}

async function linesOf(ctx: Ctx, domain: Domain<FieldsOf<ForumPost>>, order: string): Promise<DigestLine[]> {
  const rows = await ctx.model(ForumPost).find([['parent_id', '=', null], ['state', '=', 'active'], ...domain], {
    select: { name: true, forum_id: { name: true }, vote_count: true, child_count: true },
    order,
    limit: LINES,
  });
  return rows.flatMap(({ forum_id, vote_count, child_count, ...row }) =>
    forum_id
      ? [
          {
            title: row.name ?? '',
            path: questionPath(forum_id, row),
            about: `${plural(ctx, '{n} vote', '{n} votes', vote_count)}, ${plural(ctx, '{n} answer', '{n} answers', child_count ?? 0)}`,
          },
        ]
      : [],
  );
}
