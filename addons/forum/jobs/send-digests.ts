import { type Ctx, type Domain, type FieldsOf, type Id, identityOf, job, TooMany, z } from '#core';
import { type DigestLine, digestMail } from '../mails.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumUser } from '../models/res-users.ts';
import { questionPath } from '../routes/paths.ts';
import { digestLink } from '../services/digests.ts';

const DAY = 86_400_000;
/** How long after the last one the next may come, a little less than its name says. */
const every = { daily: 20 * 3_600_000, weekly: 6.5 * DAY } as const;
const LINES = 5;
const BATCH = 200;

/** Mails digests to those who wish them and have been on the forum: what was best since the last one, and what waits for an answer. */
export const sendDigests = job('forum.send_digests', {
  input: z.object({}),
  cron: '0 6 * * *',
  lease: 600_000,
  run: async ({ ctx, write, signal }) => {
    for (const digest of ['daily', 'weekly'] as const) {
      for (let after = 0; ; ) {
        if (signal.aborted) throw new Error('The node stops; the rest is sent by the next run.');
        const users = await due(ctx, digest, after);
        for (const user of users) await write((writing) => sendTo(writing, user, digest));
        if (users.length < BATCH) break;
        after = users.at(-1) ?? 0;
      }
    }
  },
});

/** Users whose digest is due, a page at a time. */
function due(ctx: Ctx, digest: keyof typeof every, after: Id): Promise<Id[]> {
  const before = new Date(ctx.now().getTime() - every[digest]);
  return ctx
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
      { order: 'id', limit: BATCH },
    );
}

async function sendTo(ctx: Ctx, user: Id, digest: keyof typeof every): Promise<void> {
  const row = await ctx.model(ForumUser).get(user, {
    select: { lang: true, forum_digest_date: true, partner_id: { name: true, email: true, lang: true } },
  });
  await ctx.model(ForumUser).write(user, { forum_digest_date: new Date(ctx.now()) });
  const identity = await identityOf(ctx, user);
  const email = row.partner_id?.email;
  if (!identity || !email) return;
  const lang = row.lang ?? row.partner_id?.lang ?? ctx.lang;
  // What its reader may see, and nothing else.
  const reader = ctx.as({ user: identity, lang });
  const since = row.forum_digest_date ?? new Date(ctx.now().getTime() - every[digest]);
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
  const stop = digestLink(ctx, user);
  try {
    await ctx.mail.send(digestMail, {
      to: { email, name: row.partner_id?.name ?? '', lang },
      values: { name: row.partner_id?.name ?? '', top, open, stop },
      headers: {
        'List-Unsubscribe': `<${ctx.config.baseUrl}${stop}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
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
            about: `${ctx.plural('{n} vote', '{n} votes', vote_count)}, ${ctx.plural('{n} answer', '{n} answers', child_count ?? 0)}`,
          },
        ]
      : [],
  );
}
