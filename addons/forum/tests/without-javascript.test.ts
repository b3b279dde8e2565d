import { type Client, createTestApp, type TestApp } from '#core/testing';
import { member, question } from './kit.ts';

describe.each([
  {
    base: '/forum/help-1',
    upvote: 'Upvote',
    favourite: 'Favourite',
    flag: 'Flag',
    reply: 'Post your answer',
    ask: 'Post your question',
  },
  {
    base: '/fr/forum/entraide-1',
    upvote: 'Voter pour',
    favourite: 'Favori',
    flag: 'Signaler',
    reply: 'Publier votre réponse',
    ask: 'Publier votre question',
  },
])('Without JavaScript, at $base', ({ base, upvote, favourite, flag, reply, ask }) => {
  let app: TestApp;
  let client: Client;
  let path: string;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'] });
    const forum = await app.read((ctx) => ctx.ref('forum.forum_help'));
    const asked = await question(app, forum, await member(app, 'Asker', 120), { name: 'Which rose climbs' });
    await member(app, 'Member', 5000);
    client = await app.as('member');
    path = `${base}/question/which-rose-climbs-${asked}`;
  }, 120_000);
  afterAll(() => app.close());

  it('one votes', async () => {
    const { status, text } = await client.press(path, 'forum.Votes', upvote);
    expect([status, /data-vote-count[^>]*>(\d+)</.exec(text)?.[1]]).toEqual([200, '1']);
  });

  it('one keeps a favourite', async () => {
    const { status, text } = await client.press(path, 'forum.Favourite', favourite);
    const button = new RegExp(`<button[^>]*aria-label="${favourite}"[^>]*>`).exec(text)?.[0];
    expect([status, button]).toEqual([200, expect.stringContaining('aria-pressed="true"')]);
  });

  it('one answers', async () => {
    const { status, text } = await client.press(path, 'forum.Answer', reply, { content: 'Try the north wall.' });
    expect([status, text]).toEqual([200, expect.stringContaining('Try the north wall.')]);
  });

  it('one asks', async () => {
    const fields = { question_name: 'When are roses cut?', content: 'In spring or in autumn?' };
    const { status, text } = await client.press(`${base}/ask`, 'forum.Ask', ask, fields);
    expect([status, text]).toEqual([200, expect.stringContaining('In spring or in autumn?')]);
  });

  it('one flags', async () => {
    expect((await client.press(path, 'forum.Flag', flag)).status).toBe(200);
  });
});
