import { Message } from '@pergola/mail';
import type { Ctx, Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp, withClock } from 'pergola/testing';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { ForumUser } from '../models/res-users.ts';
import { asUser, helpForum, member } from './kit.ts';

someDatabase('A member of a forum', (database) => {
  const clock = withClock();
  let app: TestApp;
  let forum: Id;
  let other: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'], database });
    forum = await helpForum(app);
    other = await member(app, 'Other', 5000);
  });
  afterAll(() => app.close());

  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const asked = (count: number, author: Id) =>
    app.write((ctx) =>
      ctx.model(ForumPost).create(
        numbers(count).map((index) => ({
          name: `Question ${index} of ${author}`,
          content: '<p>How?</p>',
          forum_id: forum,
          create_uid: author,
        })) as never[],
      ),
    );
  const say = (ctx: Ctx, values: object) =>
    ctx.model(ForumPost).create({ forum_id: forum, content: '<p>Like this.</p>', ...values });

  /** What was there before, made by the system in the name of the member, and how the member makes one more. */
  const kinds: readonly [
    name: string,
    limit: number,
    make: (me: Id, count: number) => Promise<(ctx: Ctx, index: number) => Promise<unknown>>,
  ][] = [
    [
      'questions',
      30,
      async (me, count) => {
        await asked(count, me);
        return (ctx, index) => say(ctx, { name: `One more: ${index}` });
      },
    ],
    [
      'answers',
      60,
      async (me, count) => {
        const questions = await asked(count + 3, await member(app, 'Asks'));
        await app.write((ctx) =>
          ctx.model(ForumPost).create(
            questions.slice(3).map((parent_id) => ({
              content: '<p>Like this.</p>',
              forum_id: forum,
              parent_id,
              create_uid: me,
            })) as never[],
          ),
        );
        return (ctx, index) => say(ctx, { parent_id: questions[index] });
      },
    ],
    [
      'comments',
      120,
      async (me, count) => {
        const [post = 0] = await asked(1, other);
        await app.write(async (ctx) => {
          const { partner_id } = await ctx.model(ForumUser).get(me, { select: { partner_id: true } });
          const comment = {
            author_id: partner_id,
            model: 'forum.post',
            res_id: post,
            type: 'comment',
            date: ctx.now(),
          } as const;
          await ctx.model(Message).create(numbers(count).map((index) => ({ ...comment, body: `<p>${index}</p>` })));
        });
        return (ctx, index) => ctx.model(ForumPost).comment([post], `One more: ${index}`);
      },
    ],
    [
      'tags',
      30,
      async (me, count) => {
        const tag = (name: string) => ({ forum_id: forum, name });
        await app.write((ctx) =>
          ctx.model(ForumTag).create(numbers(count).map((n) => ({ ...tag(`tag${n}`), create_uid: me })) as never[]),
        );
        return (ctx, index) => ctx.model(ForumTag).create(tag(`more${index}`));
      },
    ],
  ];

  it.each(kinds)('makes so many %s in an hour: %i, and more an hour later', async (name, limit, make) => {
    const me = await member(app, `Writes${name}`, 5000);
    const one = await make(me, limit - 1);
    await asUser(app, me, (ctx) => one(ctx, 0));
    const refused = asUser(app, me, (ctx) => one(ctx, 1));
    await expect(refused).rejects.toMatchObject({ name: 'TooMany', code: 'forum.hourly' });
    await asUser(app, other, (ctx) => one(ctx, 1));
    clock.forward(3_600_001);
    await asUser(app, me, (ctx) => one(ctx, 2));
  });
});
