import { Message } from '@pergola/mail';
import type { Ctx, Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { answer, asUser, helpForum, karmaOf, ledgerOf, member, post, question, setKarma } from './kit.ts';

const refusal = (n: number): object => ({ name: 'NotAllowed', code: 'forum.karma_required', params: { n } });

someDatabase('Karma gates', (database) => {
  let app: TestApp;
  let forum: Id;
  let me: Id;
  let other: Id;
  const link = '<p>See <a href="https://example.org/">this</a></p>';
  const image = '<p>x <img src="/web/image/1" alt=""></p>';

  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'], database });
    forum = await helpForum(app);
    me = await member(app, 'Me');
    other = await member(app, 'Other', 5000);
  });
  afterAll(() => app.close());

  const say = (values: object) => (ctx: Ctx) =>
    ctx.model(ForumPost).create({ forum_id: forum, content: '<p>text</p>', ...values });
  const mine = () => question(app, forum, me);
  const theirs = () => question(app, forum, other);
  const reason = (name: string) => app.read((ctx) => ctx.ref(`forum.${name}`));
  const commentOn = (id: Id, by: Id) => asUser(app, by, (ctx) => ctx.model(ForumPost).comment([id], 'said'));
  const on = (id: Id, act: (posts: ForumPost, ids: Id[]) => Promise<unknown>) => (ctx: Ctx) =>
    act(ctx.model(ForumPost), [id]);

  /** Each action with the karma it needs, and how to try it. */
  const actions: readonly [what: string, needed: number, make: () => Promise<(ctx: Ctx) => Promise<unknown>>][] = [
    ['ask', 3, async () => say({ name: 'New?' })],
    ['answer', 3, async () => say({ parent_id: await theirs() })],
    ['upvote', 5, async () => on(await theirs(), (posts, ids) => posts.vote(ids, true))],
    ['downvote', 50, async () => on(await theirs(), (posts, ids) => posts.vote(ids, false))],
    ['edit own', 1, async () => on(await mine(), (posts, ids) => posts.write(ids, { content: '<p>other</p>' }))],
    ['edit all', 300, async () => on(await theirs(), (posts, ids) => posts.write(ids, { content: '<p>other</p>' }))],
    ['retitle all', 300, async () => on(await theirs(), (posts, ids) => posts.write(ids, { name: 'Other title' }))],
    [
      'close own',
      100,
      async () => {
        const why = await reason('reason_1');
        return on(await mine(), (posts, ids) => posts.close(ids, why));
      },
    ],
    [
      'close all',
      500,
      async () => {
        const why = await reason('reason_1');
        return on(await theirs(), (posts, ids) => posts.close(ids, why));
      },
    ],
    [
      'reopen own',
      100,
      async () => on(await question(app, forum, me, { state: 'close' }), (posts, ids) => posts.reopen(ids)),
    ],
    [
      'reopen all',
      500,
      async () => on(await question(app, forum, other, { state: 'close' }), (posts, ids) => posts.reopen(ids)),
    ],
    ['delete own', 500, async () => on(await mine(), (posts, ids) => posts.write(ids, { active: false }))],
    ['delete all', 1000, async () => on(await theirs(), (posts, ids) => posts.write(ids, { active: false }))],
    [
      'delete own answer',
      500,
      async () => on(await answer(app, forum, await theirs(), me), (posts, ids) => posts.unlink(ids)),
    ],
    [
      'delete all answers',
      1000,
      async () => on(await answer(app, forum, await theirs(), other), (posts, ids) => posts.unlink(ids)),
    ],
    [
      'accept on own question',
      20,
      async () => on(await answer(app, forum, await mine(), other), (posts, ids) => posts.toggleCorrect(ids)),
    ],
    [
      'accept on all questions',
      500,
      async () => on(await answer(app, forum, await theirs(), other), (posts, ids) => posts.toggleCorrect(ids)),
    ],
    ['comment own', 3, async () => on(await mine(), (posts, ids) => posts.comment(ids, 'well'))],
    ['comment all', 5, async () => on(await theirs(), (posts, ids) => posts.comment(ids, 'well'))],
    [
      'delete own comment',
      50,
      async () => {
        const id = await theirs();
        await setKarma(app, me, 5);
        const said = await commentOn(id, me);
        return on(id, (posts, ids) => posts.deleteComment(ids, said));
      },
    ],
    [
      'delete all comments',
      500,
      async () => {
        const id = await theirs();
        const said = await commentOn(id, other);
        return on(id, (posts, ids) => posts.deleteComment(ids, said));
      },
    ],
    [
      'convert own answer',
      50,
      async () => on(await answer(app, forum, await theirs(), me), (posts, ids) => posts.convertToComment(ids)),
    ],
    [
      'convert all answers',
      500,
      async () => on(await answer(app, forum, await theirs(), other), (posts, ids) => posts.convertToComment(ids)),
    ],
    [
      'convert a comment',
      500,
      async () => {
        const id = await mine();
        const said = await commentOn(id, other);
        return on(id, (posts, ids) => posts.convertCommentToAnswer(ids, said));
      },
    ],
    ['flag', 500, async () => on(await theirs(), (posts, ids) => posts.flag(ids))],
    [
      'make a tag',
      75,
      async () => (ctx) => ctx.model(ForumTag).create({ name: `tag-${Math.random()}`, forum_id: forum }),
    ],
    [
      'approve',
      1000,
      async () => on(await question(app, forum, other, { state: 'pending' }), (posts, ids) => posts.approve(ids)),
    ],
    [
      'refuse',
      1000,
      async () => on(await question(app, forum, other, { state: 'pending' }), (posts, ids) => posts.refuse(ids)),
    ],
    [
      'mark as offensive',
      1000,
      async () => {
        const why = await reason('reason_11');
        return on(await theirs(), (posts, ids) => posts.markAsOffensive(ids, why));
      },
    ],
  ];

  it.each(actions)('%s takes exactly %i', async (_what, needed, make) => {
    const act = await make();
    await setKarma(app, me, needed - 1);
    await expect(asUser(app, me, act)).rejects.toMatchObject(refusal(needed));
    await setKarma(app, me, needed);
    await expect(asUser(app, me, act)).resolves.not.toThrow();
    expect(await karmaOf(app, me)).toBe(await ledgerOf(app, me));
  });

  it.each([
    ['link', link],
    ['picture', image],
  ])('a %s takes 30, wherever it is written', async (_what, content) => {
    const before = await mine();
    const refused = { name: 'NotAllowed', code: 'forum.editor_karma', message: 'Sorry you need more than 30 Karma.' };
    await setKarma(app, me, 29);
    await expect(asUser(app, me, say({ name: 'New?', content }))).rejects.toMatchObject(refused);
    await expect(asUser(app, me, say({ parent_id: await theirs(), content }))).rejects.toMatchObject(refused);
    await expect(
      asUser(
        app,
        me,
        on(before, (posts, ids) => posts.write(ids, { content })),
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      asUser(
        app,
        me,
        on(before, (posts, ids) => posts.comment(ids, content)),
      ),
    ).rejects.toMatchObject(refused);
    await setKarma(app, me, 30);
    await expect(asUser(app, me, say({ name: 'New?', content }))).resolves.toBeGreaterThan(0);
    await expect(
      asUser(
        app,
        me,
        on(before, (posts, ids) => posts.write(ids, { content })),
      ),
    ).resolves.toBeUndefined();
  });

  it('what somebody else linked may stay when a text is edited', async () => {
    const before = await question(app, forum, me, { content: link });
    await setKarma(app, me, 5);
    await asUser(
      app,
      me,
      on(before, (posts, ids) => posts.write(ids, { content: `${link}<p>more</p>` })),
    );
    expect((await post(app, before, 'content')).content).toContain('more');
  });

  it('removing a link takes 30, removing a picture nothing', async () => {
    const before = await question(app, forum, me, { content: `${link}${image}<p>text</p>` });
    const change = (content: string) =>
      asUser(
        app,
        me,
        on(before, (posts, ids) => posts.write(ids, { content })),
      );
    await setKarma(app, me, 29);
    const refused = { code: 'forum.editor_karma', message: 'Sorry you need more than 30 Karma.' };
    await expect(change(`${image}<p>text</p>`)).rejects.toMatchObject(refused);
    await change(`${link}<p>text</p>`);
    await setKarma(app, me, 30);
    await change('<p>text</p>');
    expect((await post(app, before, 'content')).content).not.toContain('<a');
  });

  it('one with little karma waits for a moderator, and one with enough does not', async () => {
    await setKarma(app, me, 99);
    const waiting = await asUser(app, me, say({ name: 'Waiting?' }));
    expect(await post(app, waiting, 'state', 'website_visible')).toMatchObject({
      state: 'pending',
      website_visible: false,
    });
    await setKarma(app, me, 100);
    const shown = await asUser(app, me, say({ name: 'Shown?' }));
    expect(await post(app, shown, 'state', 'website_visible')).toMatchObject({
      state: 'active',
      website_visible: true,
    });
  });

  it('visitors can do nothing but read', async () => {
    const id = await theirs();
    const visitor = app.visitor();
    const call = (method: string, args: unknown[]) =>
      visitor.rpc('/web/dataset/call_kw', { model: 'forum.post', method, args, kwargs: {} });
    await expect(call('create', [{ name: 'x', forum_id: forum, content: 'x' }])).rejects.toThrow();
    await expect(call('write', [[id], { name: 'x' }])).rejects.toThrow();
    await expect(call('unlink', [[id]])).rejects.toThrow();
    await expect(call('comment', [[id], 'x'])).rejects.toThrow();
    await expect(call('vote', [[id], true])).rejects.toThrow();
    expect(await post(app, id, 'vote_count')).toMatchObject({ vote_count: 0 });
  });

  it('no call goes around the gates: fields that follow by themselves, votes, karma and messages', async () => {
    await setKarma(app, me, 4999);
    const client = await app.as('me');
    const call = (model: string, method: string, ...args: unknown[]) =>
      client.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    const id = await mine();
    const reply = await answer(app, forum, id, me);
    for (const values of [
      { vote_count: 9 },
      { views: 9 },
      { state: 'active' },
      { is_correct: true },
      { create_uid: other },
      { author_hidden: false },
      { favourite_ids: [other] },
      { relevancy: 9 },
      { closed_uid: me },
      { parent_id: reply },
      { forum_id: 1 },
      { website_visible: true },
      { vote_ids: [[0, 0, { user_id: me, vote: '1', forum_id: forum }]] },
      { child_ids: [[0, 0, { content: 'x', forum_id: forum }]] },
    ])
      await expect(call('forum.post', 'write', [id], values)).rejects.toThrow();
    await expect(
      call('forum.post.vote', 'create', { post_id: id, user_id: other, vote: '1', forum_id: forum }),
    ).rejects.toThrow();
    await expect(call('forum.karma', 'create', { user_id: me, amount: 100, reason: 'given' })).rejects.toThrow();
    await expect(call('res.users', 'write', [me], { karma: 10_000 })).rejects.toThrow();
    await expect(call('forum.forum', 'write', [forum], { karma_ask: 0 })).rejects.toThrow();
    await expect(call('gamification.badge.user', 'create', { user_id: me, badge_id: 1 })).rejects.toThrow();
    await expect(call('forum.notification', 'create', { user_id: other, kind: 'badge' })).rejects.toThrow();
    await expect(call('forum.post', 'vote', [id], true)).resolves.toEqual({ error: 'own_post' });
    await expect(call('forum.post', 'messagePost', [id], { body: 'x' })).rejects.toThrow();
    await expect(call('forum.post', 'hideAuthor', [other], true)).rejects.toThrow();
    await expect(call('forum.post', 'unlink', [id])).rejects.toThrow(/can’t be deleted permanently/);
    expect(await karmaOf(app, me)).toBe(4999);
    expect(
      await app.read((ctx) =>
        ctx.model(Message).count([
          ['res_id', '=', id],
          ['model', '=', 'forum.post'],
          ['body', 'ilike', 'x'],
        ]),
      ),
    ).toBe(0);
  });

  it('whoever manages users sets karma by a line of the ledger', async () => {
    const admin = await app.as('admin');
    await admin.rpc('/web/dataset/call_kw', {
      model: 'res.users',
      method: 'write',
      args: [[me], { karma: 42 }],
      kwargs: {},
    });
    expect([await karmaOf(app, me), await ledgerOf(app, me)]).toEqual([42, 42]);
  });

  it('tags keep to their rules, whichever way they come', async () => {
    const tag = (name: string) => (ctx: Ctx) => ctx.model(ForumTag).create({ name, forum_id: forum });
    await setKarma(app, me, 500);
    for (const bad of ['x', 'a'.repeat(36), 'two words', 'a,b', 'a_b', ''])
      await expect(asUser(app, me, tag(bad))).rejects.toMatchObject({ name: 'InvalidInput' });
    await expect(asUser(app, me, tag(`${'é'.repeat(35)}`))).resolves.toBeGreaterThan(0);
    const roses = await asUser(app, me, tag('Roses'));
    await expect(asUser(app, me, tag('roses'))).rejects.toMatchObject({ name: 'Conflict' });
    expect(await app.read((ctx) => ctx.model(ForumTag).get(roses, { select: { name: true } }))).toMatchObject({
      name: 'roses',
    });
    const six = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        app.write((ctx) => ctx.model(ForumTag).create({ name: `six-${n}`, forum_id: forum })),
      ),
    );
    await expect(asUser(app, me, say({ name: 'Six?', tag_ids: six }))).rejects.toMatchObject({
      code: 'forum.too_many_tags',
    });
    const five = await asUser(app, me, say({ name: 'Five?', tag_ids: six.slice(1) }));
    expect((await post(app, five, 'tag_ids')).tag_ids).toHaveLength(5);
    await setKarma(app, me, 74);
    await expect(
      asUser(app, me, (ctx) => ctx.model(ForumTag).idsFor(forum, ['roses', 'unheard-of'])),
    ).rejects.toMatchObject(refusal(75));
    await setKarma(app, me, 75);
    await expect(
      asUser(app, me, (ctx) => ctx.model(ForumTag).idsFor(forum, ['ROSES', 'unheard-of'])),
    ).resolves.toHaveLength(2);
  });

  it('nobody fills the forum in an hour', async () => {
    const busy = await member(app, 'Busy', 200);
    for (let n = 0; n < 30; n++) await asUser(app, busy, say({ name: `Busy ${n}` }));
    await expect(asUser(app, busy, say({ name: 'One more' }))).rejects.toMatchObject({ name: 'TooMany' });
  });

  it('pictures can be uploaded by those with the karma for them, and are seen by visitors', async () => {
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#7a5' } })
      .png()
      .toBuffer();
    const upload = () => new Blob([new Uint8Array(png)]);
    const client = await app.as('me');
    await setKarma(app, me, 29);
    expect(await client.form('/website/attach', { upload: upload() })).toMatchObject({ status: 404 });
    await setKarma(app, me, 30);
    const kept = await client.form('/website/attach', { upload: upload() });
    const { website_url: src } = kept.json<{ website_url: string }>();
    expect((await app.visitor().get(src)).headers.get('content-type')).toMatch(/^image\//);
    const content = `<p>x <img src="${src}" alt=""></p>`;
    const id = await asUser(app, me, (ctx) => ctx.model(ForumPost).create({ forum_id: forum, name: 'Seen?', content }));
    expect(await app.read((ctx) => ctx.model(ForumPost).get(id, { select: { content: true } }))).toMatchObject({
      content: expect.stringContaining(src),
    });
    // Addresses and files are for employees.
    expect((await client.form('/website/attach', { url: src })).json()).toMatchObject({ error: expect.any(String) });
    expect(await client.form('/website/attach_file', { upload: upload() })).toMatchObject({ status: 404 });
  });
});
