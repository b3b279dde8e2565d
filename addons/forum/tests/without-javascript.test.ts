import { User } from '@pergola/base';
import type { Id } from 'pergola';
import { type Client, createTestApp, type TestApp } from 'pergola/testing';
import { ForumPost } from '../models/forum-post.ts';
import { answer, asUser, helpForum, member, question } from './kit.ts';

describe('Without JavaScript', () => {
  let app: TestApp;
  let forum: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'] });
    forum = await helpForum(app);
  });
  afterAll(() => app.close());

  let typist: Promise<Client> | undefined;
  it.each([
    ['x<y>z; List<String> and a<b>c', '<p>x&lt;y&gt;z; List&lt;String&gt; and a&lt;b&gt;c</p>'],
    [
      'Why?\r\n\r\n````html\r\n<div class="x">\r\n```\r\n````\r\n\r\n5. five',
      '<p>Why?</p><pre><code class="language-html">&lt;div class="x"&gt;\n```</code></pre><ol start="5"><li>five</li></ol>',
    ],
    [
      '<p data-oe-model="res.users">See</p><table><tr><td>Name</td><td>Price</td></tr><tr><td>Tea</td><td>3.50</td></tr></table><p style="display:\nnone">x</p>',
      '<p>See</p><p>Name | Price<br>Tea | 3.50</p>',
    ],
  ])('text is kept as it was meant: %j', async (content, html) => {
    typist ??= member(app, 'Typist', 500).then(() => app.as('typist'));
    const client = await typist;
    const sent = await client.form('/forum/help-1/question/new', { question_name: 'Text', content, question_tags: '' });
    const id = Number(/\d+$/.exec(sent.location ?? '')?.[0]);
    const post = await app.read((ctx) => ctx.model(ForumPost).get(id, { select: { content: true } }));
    expect(post.content?.replaceAll('<br />', '<br>')).toBe(html);
  });

  describe.each([
    {
      who: 'English',
      base: '/forum/help-1',
      say: {
        upvote: 'Upvote',
        favourite: 'Favourite',
        flag: 'Flag',
        validate: 'Approve',
        nothing: 'Nothing to review.',
        follow: 'Follow',
        reply: 'Post your answer',
        ask: 'Post your question',
        askLink: 'Ask a question',
        remove: 'Delete',
        read: 'Mark as read',
        nothingNew: 'No new notifications.',
        send: 'Send confirmation email',
        sent: 'You’ll get an email.',
        close: 'Close',
        flagged: 'Thanks. A moderator will review it.',
        thanks: 'Thanks, your email address is confirmed.',
      },
    },
    {
      who: 'French',
      base: '/fr/forum/entraide-1',
      say: {
        upvote: 'Voter pour',
        favourite: 'Favori',
        flag: 'Signaler',
        validate: 'Valider',
        nothing: 'Rien à examiner.',
        follow: 'Suivre',
        reply: 'Publier votre réponse',
        ask: 'Publier votre question',
        askLink: 'Poser une question',
        remove: 'Supprimer',
        read: 'Marquer comme lu',
        nothingNew: 'Aucune nouvelle notification.',
        send: 'Envoyer l’e-mail de confirmation',
        sent: 'Vous recevrez un e-mail.',
        close: 'Fermer',
        flagged: 'Merci. Un modérateur va l’examiner.',
        thanks: 'Merci, votre adresse e-mail est confirmée.',
      },
    },
  ])('in $who', ({ who, base, say }) => {
    let asker: Id;
    let client: Client;
    let path: string;
    const about = (id: Id) => `${base}/question/roses-${id}`;
    const post = (name: string) => question(app, forum, asker, { name });
    beforeAll(async () => {
      asker = await member(app, `Asker${who}`, 120);
      await member(app, `Member${who}`, 5000);
      client = await app.as(`member${who.toLowerCase()}`);
      path = about(await post('Which rose climbs'));
    });

    it('one votes', async () => {
      const { status, text } = await client.press(path, 'forum.Votes', say.upvote);
      expect([status, /data-vote-count[^>]*>(\d+)</.exec(text)?.[1]]).toEqual([200, '1']);
    });

    it('one keeps a favourite', async () => {
      await client.press(path, 'forum.Favourite', say.favourite);
      expect(await client.readIsland(path, 'forum.Favourite')).toContain(`${say.favourite} (pressed)`);
    });

    it('one follows a question', async () => {
      const followed = about(await post('Which rose stays small'));
      await client.press(followed, 'forum.Follow', new RegExp(`^${say.follow}`));
      expect(await client.readIsland(followed, 'forum.Follow')).toMatch(/\(pressed\)$/);
    });

    it('one answers', async () => {
      const { status, read } = await client.press(path, 'forum.Answer', say.reply, { content: 'Try the north wall.' });
      expect([status, read]).toEqual([200, expect.stringContaining('Try the north wall.')]);
    });

    it('one asks', async () => {
      const fields = { question_name: `When are roses cut in ${who}?`, content: 'In spring or in autumn?' };
      const { status, read } = await client.press(`${base}/ask`, 'forum.Ask', say.ask, fields);
      expect([status, read]).toEqual([200, expect.stringContaining('In spring or in autumn?')]);
    });

    it('one reads what is new', async () => {
      const curious = await member(app, `Curious${who}`, 120);
      const id = await question(app, forum, curious, { name: 'Which rose is white' });
      await client.press(about(id), 'forum.Answer', say.reply, { content: 'Many are.' });
      const own = await app.as(`curious${who.toLowerCase()}`);
      await app.runJobs();
      const { read } = await own.press(base, 'forum.Notes', say.read);
      expect(read).toContain(say.nothingNew);
    });

    it('one deletes a comment', async () => {
      const id = await post('Which rose smells');
      const me = await app.read(async (ctx) => (await ctx.model(User).byLogin(`member${who.toLowerCase()}`))?.id ?? 0);
      await asUser(app, me, (ctx) => ctx.model(ForumPost).comment([id], 'Mine does.'));
      expect(await client.readIsland(about(id), 'forum.Comment')).toContain('Mine does.');
      const { status, read } = await client.press(about(id), 'forum.Comment', say.remove);
      expect([status, read]).toEqual([200, expect.not.stringContaining('Mine does.')]);
    });

    it('one deletes an answer', async () => {
      const id = await post('Which rose lives long');
      await answer(app, forum, id, asker, { content: '<p>The old ones.</p>' });
      const { status, read } = await client.press(about(id), 'forum.Confirm', say.remove);
      expect([status, read]).toEqual([200, expect.not.stringContaining('The old ones.')]);
    });

    it('one flags, and a moderator decides', async () => {
      const id = await post(`Buy ${who} roses`);
      const queue = () => client.readIsland(`${base}/flagged_queue`, 'forum.Queue');
      // It is out of sight until then.
      const { status, read } = await client.press(about(id), 'forum.Flag', say.flag);
      expect([status, read]).toEqual([200, expect.not.stringContaining(`Buy ${who} roses`)]);
      expect(read).toContain(say.flagged);
      expect(await queue()).toContain(`Buy ${who} roses`);
      await client.press(`${base}/flagged_queue`, 'forum.Queue', say.validate);
      expect(await queue()).toContain(say.nothing);
      expect((await client.get(base)).text).toContain(`Buy ${who} roses`);
    });

    it('one with too little karma is not locked out of the way to ask', async () => {
      await member(app, `New${who}`);
      const newcomer = await app.as(`new${who.toLowerCase()}`);
      expect(await newcomer.readIsland(base, 'forum.Gate')).toBe(`${say.askLink} ${base}/ask`);
    });

    it('one confirms an address', async () => {
      const id = await member(app, `Unknown${who}`);
      await app.write((ctx) => ctx.model(User).write(id, { email_verified: false }));
      const unknown = await app.as(`unknown${who.toLowerCase()}`);
      const { status, read } = await unknown.press(base, 'forum.Validation', say.send);
      expect([status, read]).toEqual([200, expect.stringContaining(say.sent)]);
      const { database } = app;
      const mails = database
        .knex('core_outbox')
        .select('html')
        .where('email', `unknown${who}@forum.example`.toLowerCase());
      const { rows } = await database.reader.query(mails.toSQL().toNative());
      const [, link = ''] = /href="([^"]*\/forum\/validate_email[^"]*)"/.exec(String(rows.at(-1)?.html)) ?? [];
      const { searchParams } = new URL(link.replaceAll('&amp;', '&'), app.url);
      await unknown.form('/forum/validate_email', Object.fromEntries(searchParams));
      expect(await unknown.readIsland(base, 'forum.Validation')).toContain(say.thanks);
      await unknown.press(base, 'forum.Validation', say.close);
      expect(await unknown.readIsland(base, 'forum.Validation')).toBe('');
    });
  });
});
