import { User } from '@pergola/base';
import { Follower, Message } from '@pergola/mail';
import type { Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { awardBadges } from '../jobs/award-badges.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumPostVote, voteKarma } from '../models/forum-post-vote.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { GamificationBadgeUser } from '../models/gamification-badge-user.ts';
import { relevancyOf } from '../models/relevancy.ts';
import { clicked, type VoteValue } from '../services/vote-steps.ts';
import { answer, asUser, helpForum, karmaOf, ledgerOf, member, newForum, post, question } from './kit.ts';

/** Tries again as a browser would when a busy machine says so; what was refused was not done. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Object && 'name' in error && error.name === 'Unavailable';
      if (!isBusy || tries > 20) throw error;
    }
  }
}

describe('A vote', () => {
  it.each([
    [0, true, 1],
    [0, false, -1],
    [1, true, 0],
    [1, false, 0],
    [-1, true, 0],
    [-1, false, 0],
  ] as const)('of %i clicked (up: %s) is %i', (before, up, after) => expect(clicked(before, up)).toBe(after));

  const table = {
    karma_gen_question_upvote: 5,
    karma_gen_question_downvote: -2,
    karma_gen_answer_upvote: 10,
    karma_gen_answer_downvote: -2,
  } as Parameters<typeof voteKarma>[0];
  it.each([
    [0, 1, 5, 10],
    [0, -1, -2, -2],
    [1, 0, -5, -10],
    [-1, 0, 2, 2],
    [1, -1, -7, -12],
    [-1, 1, 7, 12],
  ] as const)('going from %i to %i brings a question %i and an answer %i', (before, after, asked, answered) => {
    expect(voteKarma(table, false, before, after)).toBe(asked);
    expect(voteKarma(table, true, before, after)).toBe(answered);
  });

  it('counts less the older the question is, and downvotes pull down', () => {
    const weights = { relevancy_post_vote: 0.8, relevancy_time_decay: 1.8 };
    const now = new Date('2026-11-21T12:00:00Z');
    const fresh = relevancyOf(9, new Date('2026-11-20T12:00:00Z'), now, weights);
    expect(fresh).toBeCloseTo(8 ** 0.8 / 3 ** 1.8, 10);
    expect(relevancyOf(9, new Date('2026-10-20T12:00:00Z'), now, weights)).toBeLessThan(fresh);
    expect(relevancyOf(-3, now, now, weights)).toBeLessThan(0);
  });
});

eachDatabase('Karma', (database, once) => {
  let app: TestApp;
  let forum: Id;
  let asker: Id;
  let helper: Id;
  let voter: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'], database });
    forum = await helpForum(app);
    asker = await member(app, 'Asker', 100);
    helper = await member(app, 'Helper', 100);
    voter = await member(app, 'Voter', 100);
  });
  afterAll(() => app.close());

  const karmas = async () => [await karmaOf(app, asker), await karmaOf(app, helper), await karmaOf(app, voter)];
  const vote = (id: Id, by: Id, up = true) => asUser(app, by, (ctx) => ctx.model(ForumPost).vote([id], up));
  const accept = (id: Id, by: Id) => asUser(app, by, (ctx) => ctx.model(ForumPost).toggleCorrect([id]));

  once('goes to the author of what was voted for, and back', async () => {
    const id = await question(app, forum, asker);
    const [before = 0] = await karmas();
    expect(await vote(id, voter)).toEqual({ vote_count: 1, user_vote: 1 });
    expect(await karmaOf(app, asker)).toBe(before + 5);
    expect(await vote(id, voter)).toEqual({ vote_count: 0, user_vote: 0 });
    expect(await vote(id, voter, false)).toEqual({ vote_count: -1, user_vote: -1 });
    expect(await karmaOf(app, asker)).toBe(before - 2);
    expect(await vote(id, voter)).toEqual({ vote_count: 0, user_vote: 0 });
    expect(await karmaOf(app, asker)).toBe(before);
    expect(await vote(id, asker)).toEqual({ error: 'own_post' });
  });

  it('and favourites are counted once when two requests for them arrive at once', async () => {
    const portal = await app.as('admin');
    const { Forum } = await import('../models/forum.ts');
    const { forumPath } = await import('../routes/paths.ts');
    const path = await app.read(async (ctx) =>
      forumPath(await ctx.model(Forum).get(forum, { select: { name: true } })),
    );
    for (let round = 0; round < 20; round += 1) {
      const id = await question(app, forum, asker);
      const press = () =>
        Promise.all([
          portal.rpc<{ vote_count: number }>(`${path}/post/${id}/upvote`),
          portal.rpc<{ vote_count: number }>(`${path}/post/${id}/upvote`),
          portal.rpc(`${path}/question/${id}/toggle_favourite`),
          portal.rpc(`${path}/question/${id}/toggle_favourite`),
        ]);
      const [first, second] = await press();
      // The second of two clicks takes the vote back, whichever comes first.
      expect([first.vote_count, second.vote_count].sort()).toEqual([0, 1]);
      const votes = await app.read((ctx) => ctx.model(ForumPostVote).count([['post_id', '=', id]]));
      expect(votes).toBeLessThanOrEqual(1);
      expect(await post(app, id, 'vote_count', 'favourite_count')).toMatchObject({ vote_count: 0, favourite_count: 0 });
    }
  });

  once('is not needed to take a vote back', async () => {
    const id = await question(app, forum, asker);
    const poor = await member(app, 'Poor', 50);
    await vote(id, poor, false);
    await app.write((ctx) => ctx.modelNamed('forum.karma').create({ user_id: poor, amount: -50, reason: 'given' }));
    expect(await vote(id, poor)).toEqual({ vote_count: 0, user_vote: 0 });
  });

  once('comes with an accepted answer, to both, and goes with it', async () => {
    const id = await question(app, forum, asker);
    const [first, second] = [await answer(app, forum, id, helper), await answer(app, forum, id, voter)];
    const [a = 0, h = 0, v = 0] = await karmas();
    expect(await accept(first, asker)).toBe(true);
    expect(await karmas()).toEqual([a + 2, h + 15, v]);
    expect(await post(app, id, 'has_validated_answer', 'child_count')).toMatchObject({
      has_validated_answer: true,
      child_count: 2,
    });
    expect(await accept(second, asker)).toBe(true);
    expect(await karmas()).toEqual([a + 2, h, v + 15]);
    expect(await post(app, first, 'is_correct')).toMatchObject({ is_correct: false });
    expect(await accept(second, asker)).toBe(false);
    expect(await karmas()).toEqual([a, h, v]);
    const own = await answer(app, forum, id, asker);
    expect(await accept(own, asker)).toBe(true);
    expect(await karmas()).toEqual([a, h, v]);
    await accept(second, asker);
    await app.write((ctx) => ctx.model(ForumPost).unlink(second));
    expect(await karmas()).toEqual([a, h, v]);
  });

  once('is lost by a question closed for a bad reason, and comes back when it is opened again', async () => {
    const moderator = await member(app, 'Moderator', 2000);
    const id = await question(app, forum, asker);
    const before = await karmaOf(app, asker);
    const [bad, plain] = await app.read(async (ctx) => [
      await ctx.ref('forum.reason_8'),
      await ctx.ref('forum.reason_1'),
    ]);
    const as = (work: (posts: ForumPost) => Promise<unknown>) =>
      asUser(app, moderator, (ctx) => work(ctx.model(ForumPost)));
    expect(await as((posts) => posts.close([id], bad ?? 0))).toBe(true);
    expect(await karmaOf(app, asker)).toBe(before - 10);
    expect(await as((posts) => posts.close([id], bad ?? 0))).toBe(false);
    await expect(
      asUser(app, helper, (ctx) => ctx.model(ForumPost).create({ forum_id: forum, parent_id: id, content: 'x' })),
    ).rejects.toMatchObject({ code: 'forum.question_closed' });
    expect(await as((posts) => posts.reopen([id]))).toBe(true);
    expect(await karmaOf(app, asker)).toBe(before);
    await as((posts) => posts.close([id], plain ?? 0));
    expect(await karmaOf(app, asker)).toBe(before);
    await as((posts) => posts.reopen([id]));
    expect(await as((posts) => posts.flag([id]))).toEqual({ success: 'post_flagged_moderator' });
    expect(await as((posts) => posts.flag([id]))).toEqual({ error: 'post_already_flagged' });
    expect(await post(app, id, 'website_visible')).toMatchObject({ website_visible: false });
    await as((posts) => posts.markAsOffensive([id], bad ?? 0));
    expect(await karmaOf(app, asker)).toBe(before - 100);
    await as((posts) => posts.approve([id]));
    expect(await karmaOf(app, asker)).toBe(before);
    expect(await post(app, id, 'state', 'active', 'website_visible')).toMatchObject({
      state: 'active',
      active: true,
      website_visible: true,
    });
    await as((posts) => posts.close([id], bad ?? 0));
    await as((posts) => posts.markAsOffensive([id], bad ?? 0));
    expect(await karmaOf(app, asker)).toBe(before - 110);
    await as((posts) => posts.approve([id]));
    expect(await karmaOf(app, asker)).toBe(before);
  });

  once('gone, everything its owner wrote is out of sight until there is some again', async () => {
    const spammer = await member(app, 'Spammer', 10);
    const id = await question(app, forum, spammer);
    const reply = await answer(app, forum, id, helper);
    const seen = async () =>
      [await post(app, id, 'website_visible'), await post(app, reply, 'website_visible')].map(
        ({ website_visible }) => website_visible,
      );
    expect(await seen()).toEqual([true, true]);
    await app.write((ctx) => ctx.modelNamed('forum.karma').create({ user_id: spammer, amount: -10, reason: 'given' }));
    expect(await seen()).toEqual([false, false]);
    await app.write((ctx) => ctx.modelNamed('forum.karma').create({ user_id: spammer, amount: 1, reason: 'given' }));
    expect(await seen()).toEqual([true, true]);
  });

  once('to begin with comes with a confirmed address, once', async () => {
    const fresh = await member(app, 'Fresh');
    const verify = () => app.write((ctx) => ctx.model(User).verifyEmail([fresh]));
    await verify();
    expect(await karmaOf(app, fresh)).toBe(7);
    await verify();
    expect([await karmaOf(app, fresh), await ledgerOf(app, fresh)]).toEqual([7, 7]);
  });

  once('answers become comments and back, and nothing that was said is lost', async () => {
    const moderator = await member(app, 'Mover', 2000);
    const id = await question(app, forum, asker);
    const reply = await answer(app, forum, id, helper, { content: '<p>Rather a <em>remark</em></p>' });
    await asUser(app, voter, (ctx) => ctx.model(ForumPost).comment([reply], 'on the answer'));
    const as = <T>(work: (posts: ForumPost) => Promise<T>) =>
      asUser(app, moderator, (ctx) => work(ctx.model(ForumPost)));
    const said = await as((posts) => posts.convertToComment([reply]));
    const comments = () =>
      app.read((ctx) =>
        ctx.model(Message).find(
          [
            ['model', '=', 'forum.post'],
            ['res_id', '=', id],
            ['type', '=', 'comment'],
          ],
          { select: { body: true, author_id: { name: true } }, order: 'id' },
        ),
      );
    expect((await comments()).map(({ body, author_id }) => [author_id?.name, body])).toEqual([
      ['Voter', '<p>on the answer</p>'],
      ['Helper', '<p>Rather a <em>remark</em></p>'],
    ]);
    const back = await as((posts) => posts.convertCommentToAnswer([id], said || 0));
    expect(await post(app, back || 0, 'create_uid', 'parent_id', 'content')).toMatchObject({
      create_uid: helper,
      parent_id: id,
      content: '<p>Rather a <em>remark</em></p>',
    });
    expect(await comments()).toHaveLength(1);
    expect(await as((posts) => posts.convertToComment([id]))).toBe(false);
    await as((posts) => posts.flag([back || 0]));
    await expect(
      asUser(app, helper, (ctx) => ctx.model(ForumPost).convertToComment([back || 0])),
    ).rejects.toMatchObject({
      code: 'forum.post_closed',
    });
  });

  once('people hear of what happens to their posts, by mail and on the site', async () => {
    const id = await asUser(app, asker, (ctx) =>
      ctx.model(ForumPost).create({ forum_id: forum, name: 'Who answers?', content: 'x' }),
    );
    const reply = await asUser(app, helper, (ctx) =>
      ctx.model(ForumPost).create({ forum_id: forum, parent_id: id, content: '<p>I do</p>' }),
    );
    await asUser(app, voter, (ctx) => ctx.model(ForumPost).comment([reply], 'and well'));
    await accept(reply, asker);
    const told = (user: Id) =>
      app.read(async (ctx) =>
        (
          await ctx
            .model(ForumNotification)
            .find([['user_id', '=', user]], { select: { kind: true, post_id: true }, order: 'id' })
        )
          .filter(({ post_id }) => post_id === id || post_id === reply)
          .map(({ kind }) => kind),
      );
    expect(await told(asker)).toEqual(['answer']);
    expect(await told(helper)).toEqual(['comment', 'accepted']);
    const followers = await app.read((ctx) =>
      ctx.model(Follower).count([
        ['res_model', '=', 'forum.post'],
        ['res_id', '=', id],
      ]),
    );
    expect(followers).toBe(2);
    const messages = await app.read((ctx) =>
      ctx.model(Message).find(
        [
          ['model', '=', 'forum.post'],
          ['res_id', '=', id],
        ],
        { select: { type: true, body: true } },
      ),
    );
    expect(messages).toMatchObject([{ type: 'notification', body: '<p>I do</p>' }]);
    await asUser(app, asker, (ctx) => ctx.model(ForumPost).comment([id], 'Thank you.'));
    expect(await told(asker)).toEqual(['answer']);
    await expect(
      asUser(app, helper, (ctx) => ctx.model(ForumPost).create({ forum_id: forum, parent_id: id, content: 'again' })),
    ).rejects.toMatchObject({ code: 'forum.answered_already' });
  });

  once('badges are given once to those who earned them', async () => {
    const star = await member(app, 'Star', 100);
    const own = await newForum(app);
    const id = await question(app, own, star);
    const reply = await answer(app, own, id, helper, { is_correct: true });
    for (let n = 0; n < 4; n++) {
      const fan = await member(app, `Fan${n}`, 100);
      await vote(id, fan);
      await vote(reply, fan);
    }
    const tagger = await member(app, 'Tagger', 100);
    await app.write(async (ctx) => {
      const tag = await ctx.model(ForumTag).create({ name: 'roses', forum_id: own });
      await ctx.db('forum_tag').where({ id: tag }).update({ create_uid: tagger, posts_count: 15 });
    });
    for (let run = 0; run < 2; run++) {
      await app.write((ctx) => ctx.jobs.enqueue(awardBadges, {}));
      await app.runJobs();
    }
    const badges = (user: Id) =>
      app.read(async (ctx) =>
        (
          await ctx
            .model(GamificationBadgeUser)
            .find([['user_id', '=', user]], { select: { badge_id: { name: true } }, order: 'badge_id' })
        ).map(({ badge_id }) => badge_id?.name),
      );
    expect((await badges(tagger)).sort()).toEqual(['Taxonomist']);
    expect((await badges(star)).sort()).toEqual(['Nice Question', 'Scholar', 'Student']);
    expect((await badges(helper)).sort()).toEqual(expect.arrayContaining(['Enlightened', 'Nice Answer', 'Teacher']));
    const told = await app.read((ctx) =>
      ctx.model(ForumNotification).count([
        ['user_id', '=', star],
        ['kind', '=', 'badge'],
      ]),
    );
    expect(told).toBe(3);
  });

  once('moves without anybody else being looked up anew', async () => {
    const id = await question(app, forum, asker);
    const { changes } = app.database;
    const before = [changes.version('res_users'), await karmaOf(app, asker)];
    await vote(id, voter);
    expect([changes.version('res_users'), await karmaOf(app, asker)]).toEqual([before[0], Number(before[1]) + 5]);
  });

  it('of fifty who vote at once on twenty posts, from two nodes, everything adds up (C02)', async () => {
    const own = await newForum(app, { karma_upvote: 0, karma_downvote: 0 });
    const people = await Promise.all(Array.from({ length: 50 }, (_, n) => member(app, `Crowd${n}`, 50)));
    const authors = people.slice(0, 5);
    const posts = await Promise.all(Array.from({ length: 20 }, (_, n) => question(app, own, authors[n % 5] ?? null)));
    const said = new Map<string, VoteValue>();
    const nodes = [app, await app.secondNode()];
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % most;
    };
    const clicks = people.flatMap((person) =>
      Array.from({ length: 3 }, () => ({ person, id: posts[random(20)] ?? 0, up: random(2) === 0 })),
    );
    await Promise.all(
      people.map(async (person) => {
        for (const { id, up } of clicks.filter((click) => click.person === person)) {
          const node = nodes[random(2)] ?? app;
          const reply = await insist(() => asUser(node, person, (ctx) => ctx.model(ForumPost).vote([id], up)));
          if ('user_vote' in reply) said.set(`${person}/${id}`, reply.user_vote);
        }
      }),
    );
    const rows = await app.read((ctx) =>
      ctx
        .model(ForumPostVote)
        .find([['post_id', 'in', posts]], { select: { post_id: true, user_id: true, vote: true } }),
    );
    expect(
      Object.fromEntries(rows.map(({ post_id, user_id, vote: way }) => [`${user_id}/${post_id}`, Number(way)])),
    ).toEqual(Object.fromEntries(said));
    for (const id of posts) {
      const sum = [...said].filter(([key]) => key.endsWith(`/${id}`)).reduce((total, [, way]) => total + way, 0);
      expect(await post(app, id, 'vote_count')).toMatchObject({ vote_count: sum });
    }
    for (const author of authors) expect(await karmaOf(app, author)).toBe(await ledgerOf(app, author));
  });
});
