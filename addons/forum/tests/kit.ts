import { Partner } from '@pergola/base';
import { type Ctx, type Id, identityOf } from 'pergola';
import type { TestApp } from 'pergola/testing';
import { Forum } from '../models/forum.ts';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumUser } from '../models/res-users.ts';

let counter = 0;

/** A customer with so much karma. Answers their user's id; their login is the name in small letters. */
export function member(app: TestApp, name: string, karma = 0): Promise<Id> {
  return app.write(async (ctx) => {
    const login = name.toLowerCase();
    const user = await ctx.model(ForumUser).create({
      login,
      partner_id: await ctx.model(Partner).create({ name, email: `${login}@forum.example` }),
      group_ids: [await ctx.ref('base.group_portal')],
    });
    await ctx.model(ForumKarma).move([{ user_id: user, amount: karma, reason: 'given' }]);
    return user;
  });
}

/** Brings somebody's karma to a number, by the ledger. */
export function setKarma(app: TestApp, user: Id, karma: number): Promise<void> {
  return app.write(async (ctx) => {
    const { karma: now } = await ctx.model(ForumUser).get(user, { select: { karma: true } });
    await ctx.model(ForumKarma).move([{ user_id: user, amount: karma - now, reason: 'given' }]);
  });
}

export function karmaOf(app: TestApp, user: Id): Promise<number> {
  return app.read(async (ctx) => (await ctx.model(ForumUser).get(user, { select: { karma: true } })).karma);
}

/** The sum of somebody's ledger, which their karma has to be. */
export function ledgerOf(app: TestApp, user: Id): Promise<number> {
  return app.read(async (ctx) => {
    const lines = await ctx.model(ForumKarma).find([['user_id', '=', user]], { select: { amount: true } });
    return lines.reduce((sum, { amount }) => sum + amount, 0);
  });
}

/** Work as a user, with their rights. */
export function asUser<T>(app: TestApp, user: Id, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return app.write(async (ctx) => {
    const identity = await identityOf(ctx, user);
    if (!identity) throw new Error(`There is no user ${user}.`);
    // The system's context has rights lifted; a person's has not.
    return work(ctx.as({ user: identity }));
  });
}

/** The forum that is shipped. */
export function helpForum(app: TestApp): Promise<Id> {
  return app.read((ctx) => ctx.ref('forum.forum_help'));
}

/** A forum of its own. */
export function newForum(app: TestApp, values: object = {}): Promise<Id> {
  return app.write((ctx) => ctx.model(Forum).create({ name: `Forum ${++counter}`, ...values }));
}

/** A question as it would be after it was asked, by whoever. */
export function question(app: TestApp, forum: Id, author: Id | null, values: object = {}): Promise<Id> {
  return app.write((ctx) =>
    ctx.model(ForumPost).create({
      name: `Question ${++counter}`,
      content: '<p>How?</p>',
      forum_id: forum,
      create_uid: author,
      ...values,
    } as never),
  );
}

/** An answer as it would be after it was given. */
export function answer(app: TestApp, forum: Id, to: Id, author: Id | null, values: object = {}): Promise<Id> {
  return app.write((ctx) =>
    ctx.model(ForumPost).create({
      content: '<p>Like this.</p>',
      forum_id: forum,
      parent_id: to,
      create_uid: author,
      ...values,
    } as never),
  );
}

/** A field of a post, as the system sees it. */
export async function post<const F extends string>(app: TestApp, id: Id, ...fields: F[]): Promise<Record<F, unknown>> {
  const select = Object.fromEntries(fields.map((name) => [name, true as const]));
  return app.read(async (ctx) => (await ctx.modelNamed('forum.post').get(id, { select })) as never);
}
