import { jest } from '@jest/globals';
import { Partner } from '@pergola/base';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp, withClock } from 'pergola/testing';
import { countViews } from '../jobs/count-views.ts';
import { sendDigests } from '../jobs/send-digests.ts';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { ForumUser } from '../models/res-users.ts';
import { answer, asUser, karmaOf, member, newForum, post, question, setKarma } from './kit.ts';

const F = '/forum/help-1';
/** Whether a page says something; short to read when it does not. */
const has = ({ text }: { text: string }, what: string): boolean => text.includes(what);

eachDatabase('The forum’s pages', (database, once) => {
  let app: TestApp;
  let forum: Id;
  let asker: Id;
  let helper: Id;
  let a: Client;
  let h: Client;
  let mod: Client;
  const clock = withClock();
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'], database });
    forum = await app.read((ctx) => ctx.ref('forum.forum_help'));
    asker = await member(app, 'Asker', 120);
    helper = await member(app, 'Helper', 120);
    await member(app, 'Moderator', 3000);
    [a, h, mod] = [await app.as('asker'), await app.as('helper'), await app.as('moderator')];
  });
  afterAll(() => app.close());

  const visible = async (path: string, client: Client = app.visitor()) => (await client.get(path)).status;

  once('a question without a title or with a bad tag comes back with what was written', async () => {
    const { status, text } = await a.form(`${F}/question/new`, { question_name: ' ', content: '<p>kept</p>' });
    expect(status).toBe(422);
    expect(text).toContain('Enter a title for your question.');
    expect(text).toContain('&lt;p&gt;kept&lt;/p&gt;');
    const bad = await a.form(`${F}/question/new`, { question_name: 'Tags?', content: 'x', question_tags: 'a,bb,cc' });
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('Tags must be 2 to 35 characters long.');
    const many = await a.form(`${F}/question/new`, {
      question_name: 'Tags?',
      content: 'x',
      question_tags: 'aa bb cc dd ee ff',
    });
    expect(many.text).toContain('Use up to 5 tags.');
    const blank = await a.form(`${F}/question/new`, { question_name: 'Empty?', content: '<p> </p>' });
    expect(blank.status).toBe(422);
  });

  once('a question is in the language its author reads, and says so on pages of others', async () => {
    const id = await asUser(app, asker, (ctx) =>
      ctx
        .as({ lang: 'fr_FR' })
        .model(ForumPost)
        .create({ name: 'Où pousse la vigne ?', content: '<p>Au soleil.</p>', forum_id: forum }),
    );
    await question(app, forum, asker, { name: 'Where do figs grow?', lang: 'en_US' });
    expect((await app.get(F)).text).toMatch(/<h2 lang="fr-FR"><a [^>]*>Où pousse la vigne/);
    expect((await app.get(F)).text).toMatch(/<h2><a [^>]*>Where do figs grow/);
    expect((await app.get(`${F}/question/ou-pousse-la-vigne-${id}`)).text).toMatch(/<h1 lang="fr-FR">/);
  });

  it('from asking to accepting, by forms alone', async () => {
    const asked = await a.form(`${F}/question/new`, {
      question_name: 'How do vines climb?',
      content: 'They **do**.\n\n- somehow',
      question_tags: 'Vines, pergola',
    });
    expect([asked.status, asked.location]).toEqual([
      303,
      expect.stringMatching(/^\/forum\/help-1\/question\/how-do-vines-climb-\d+$/),
    ]);
    const path = asked.location ?? '';
    const id = Number(/\d+$/.exec(path)?.[0]);
    const page = await app.visitor().get(path);
    expect(page.text).toContain('<p>They <strong>do</strong>.</p><ul><li>somehow</li></ul>');
    expect(page.text).toContain('class="website_forum"');
    expect(page.text).toMatch(/tag\/vines-\d+\/questions/);
    const answered = await h.form(`${F}/post/${id}/new`, { content: '<p>With tendrils.</p>' });
    expect(answered.location).toMatch(/#answer-\d+$/);
    const reply = Number(/\d+$/.exec(answered.location ?? '')?.[0]);
    expect((await h.form(`${F}/post/${id}/new`, { content: 'again' })).text).toContain(
      'You’ve already answered this question.',
    );
    const commented = await a.form(`${F}/post/${reply}/comment`, { comment: 'Thank <b>you</b>' });
    const place = /#(comment-\d+)$/.exec(commented.location ?? '')?.[1];
    expect((await app.visitor().get(path)).text).toContain(`id="${place}"`);
    await h.form(`${F}/post/${id}/upvote/form`);
    await a.form(`${F}/post/${reply}/toggle_correct/form`);
    await h.form(`${F}/question/${id}/toggle_favourite/form`);
    expect(await post(app, id, 'vote_count', 'favourite_count', 'has_validated_answer')).toMatchObject({
      vote_count: 1,
      favourite_count: 1,
      has_validated_answer: true,
    });
    const after = (await app.visitor().get(path)).text;
    expect(after).toContain('Thank <b>you</b>');
    expect(after).toContain('Accepted answer');
    expect(after).toContain('"@type":"QAPage"');
    expect(after).toContain('"datePublished"');
    expect(after).not.toContain('"suggestedAnswer":[]');
    expect(after).toContain('"acceptedAnswer"');
    const edit = await h.get(`${F}/question/${id}/edit_answer`);
    expect(edit.location).toBe(`${F}/post/${reply}/edit`);
    await h.form(`${F}/post/${reply}/save`, { content: '<p>With tendrils, slowly.</p>' });
    expect(has(await app.visitor().get(path), 'slowly')).toBe(true);
    expect((await h.form(`${F}/post/${id}/save`, { question_name: 'Mine now', content: 'x' })).status).toBe(403);
    expect((await app.visitor().get(`${F}/question/${reply}`)).location).toMatch(
      new RegExp(`climb-${id}#answer-${reply}$`),
    );
  });

  once('what is refused is handed back with the reason', async () => {
    const id = await question(app, forum, asker);
    await setKarma(app, helper, 29);
    const linked = await h.form(`${F}/post/${id}/comment`, { comment: 'See [this](https://example.org/)' });
    expect(linked.status).toBe(403);
    expect(has(linked, 'Sorry you need more than 30 Karma.')).toBe(true);
    expect(has(linked, 'See [this](https://example.org/)</textarea>')).toBe(true);
    await setKarma(app, helper, 120);
    await h.form(`${F}/post/${id}/new`, { content: 'First' });
    const twice = await h.form(`${F}/post/${id}/new`, { content: 'Second thoughts' });
    expect([twice.status, has(twice, 'Second thoughts</textarea>')]).toEqual([422, true]);
  });

  it('new questions are mailed to those who follow their forum or a tag, each once', async () => {
    const tag = await app.write((ctx) => ctx.model(ForumTag).create({ name: 'followed', forum_id: forum }));
    // Nobody is written to at an address that is not confirmed.
    await app.write(async (ctx) => {
      const everybody = await ctx.model(ForumUser).search([]);
      await ctx.model(ForumUser).write(everybody, { email_verified: true } as never);
    });
    const both = await app.as('helper');
    expect(
      await both.rpc('/website_mail/follow', { id: forum, object: 'forum.forum', message_is_follower: 'off' }),
    ).toBe(true);
    for (const client of [both, mod])
      expect(
        await client.rpc('/website_mail/follow', { id: tag, object: 'forum.tag', message_is_follower: 'off' }),
      ).toBe(true);
    expect(has(await both.get(`${F}/tag/followed-${tag}/questions`), 'data-object="forum.tag"')).toBe(true);
    await a.form(`${F}/question/new`, { question_name: 'Who hears of this?', content: 'x', question_tags: 'followed' });
    await app.runJobs();
    const { database } = app;
    const { rows } = await database.reader.query(
      database.knex('core_outbox').select('email', 'html').where('subject', 'Who hears of this?').toSQL().toNative(),
    );
    expect(String(rows[0]?.html)).toContain('/question/who-hears-of-this-');
    expect(rows.map(({ email }) => email).sort()).toEqual(['helper@forum.example', 'moderator@forum.example']);
  });

  once('calls vote, accept and keep favourites; visitors are told to sign in', async () => {
    const id = await question(app, forum, asker);
    const reply = await answer(app, forum, id, helper);
    const visitor = app.visitor();
    expect(await visitor.rpc(`${F}/post/${id}/upvote`)).toEqual({ error: 'anonymous_user' });
    expect(await visitor.rpc(`${F}/post/${reply}/toggle_correct`)).toEqual({ error: 'anonymous_user' });
    expect(await a.rpc(`${F}/post/${id}/upvote`)).toEqual({ error: 'own_post' });
    expect(await h.rpc(`${F}/post/${id}/upvote`)).toEqual({ vote_count: 1, user_vote: 1 });
    expect(await h.rpc(`${F}/post/${id}/downvote`)).toEqual({ vote_count: 0, user_vote: 0 });
    expect(await h.rpc(`${F}/post/${id}/downvote`)).toEqual({ vote_count: -1, user_vote: -1 });
    expect(await a.rpc(`${F}/post/${reply}/toggle_correct`)).toBe(true);
    expect(await a.rpc(`${F}/post/${reply}/toggle_correct`)).toBe(false);
    expect(await h.rpc(`${F}/question/${id}/toggle_favourite`)).toBe(true);
    expect(await h.rpc(`${F}/question/${id}/toggle_favourite`)).toBe(false);
    await setKarma(app, helper, 4);
    await expect(h.rpc(`${F}/post/${reply}/toggle_correct`)).rejects.toMatchObject({
      data: { arguments: ['Karma required', expect.stringContaining('500 karma is required to perform this action.')] },
    });
    await setKarma(app, helper, 120);
    const said = await asUser(app, helper, (ctx) => ctx.model(ForumPost).comment([id], 'x'));
    expect(await h.rpc(`${F}/post/${reply}/comment/${said}/delete`)).toBe(false);
    expect(await h.rpc(`${F}/post/${id}/comment/${said}/delete`)).toBe(true);
  });

  once('posts are read and changed in their own forum alone', async () => {
    const other = await app.write((ctx) => ctx.modelNamed('forum.forum').create({ name: 'Other' }));
    const id = await question(app, forum, asker);
    const slug = String((await post(app, id, 'name')).name)
      .toLowerCase()
      .replace(' ', '-');
    expect(await visible(`/forum/other-${other}/question/${slug}-${id}`)).toBe(404);
    expect((await h.form(`/forum/other-${other}/post/${id}/upvote/form`)).status).toBe(404);
    expect((await app.visitor().get(`/forum/wrong-${forum}`)).location).toBe(F);
    expect(await visible('/forum/help-999')).toBe(404);
    await app.write((ctx) => ctx.modelNamed('forum.forum').write(other, { active: false }));
    expect(await visible(`/forum/other-${other}`)).toBe(404);
  });

  it('lists filter, sort, search and go by tag and page', async () => {
    const tag = await app.write((ctx) => ctx.model(ForumTag).create({ name: 'zebra', forum_id: forum }));
    for (let n = 1; n <= 12; n++)
      await question(app, forum, asker, { name: `Zebra question ${n} quagga`, tag_ids: [tag] });
    const list = async (path: string, client: Client = app.visitor()) =>
      [...(await client.get(path)).text.matchAll(/<h2><a href="[^"]*">([^<]*)<\/a><\/h2>/g)].map(([, name]) => name);
    expect(await list(`${F}/tag/zebra-${tag}/questions`)).toHaveLength(10);
    expect(await list(`${F}/tag/zebra-${tag}/questions/page/2`)).toHaveLength(2);
    expect(await list(`${F}?search=quagga`)).toHaveLength(10);
    expect(await list(`${F}/page/2?search=quagga`)).toHaveLength(2);
    expect(await list(`${F}?search=QUAGGA+12`)).toEqual(['Zebra question 12 quagga']);
    expect(await list(`${F}?search=nothinglikethis`)).toEqual([]);
    // Mistyped words are taken as those that are meant.
    expect(await list(`${F}/page/2?search=quagge`)).toHaveLength(2);
    expect((await app.get(`${F}?search=quagge`)).text).toContain('Showing results for “quagga”.');
    expect((await list(`${F}?sorting=creation`))[0]).toBe('Zebra question 12 quagga');
    expect((await list(`${F}?filters=unanswered`)).length).toBe(10);
    expect(await list(`${F}?filters=mine`, a)).toHaveLength(10);
    expect(await list(`${F}?filters=favourites`, a)).toHaveLength(0);
    for (const sorting of ['date', 'vote', 'relevancy', 'answered', 'write_date desc', 'x'])
      expect(await visible(`${F}?sorting=${encodeURIComponent(sorting)}&filters=x`)).toBe(200);
    expect((await app.get('/forum/get_tags?q=ZEB&t=select2&l=50')).json()).toEqual([{ id: tag, name: 'zebra' }]);
    expect((await app.get('/forum/get_tags?q=zeb')).json()).toEqual([{ id: tag, name: 'zebra' }]);
    expect((await app.get('/forum/get_tags?q=zeb&t=texttext')).json()).toEqual(['zebra']);
    expect((await app.get('/forum/get_tags?q=%25')).json()).toEqual([]);
    expect((await app.get(`${F}/similar?q=A+quagga+again`)).json<object[]>()).toHaveLength(5);
    const feed = await app.get(`${F}/tag/zebra-${tag}/rss`);
    expect(feed.headers.get('content-type')).toContain('application/rss+xml');
    expect(feed.text.match(/<item>/g)).toHaveLength(12);
    const named = `<link rel="alternate" type="application/rss+xml"`;
    const tagged = (await app.get(`${F}/tag/zebra-${tag}/questions`)).text;
    expect(tagged).toContain(`${named} title="Questions about zebra" href="${F}/tag/zebra-${tag}/rss">`);
    const etag = feed.headers.get('etag') ?? '';
    const again = await app.get(`${F}/tag/zebra-${tag}/rss`, { headers: { 'If-None-Match': etag } });
    expect([etag !== '', again.status, again.text]).toEqual([true, 304, '']);
    expect((await app.get('/sitemap.xml')).text).toMatch(/forum\/help-1\/question\//);
  });

  once('what waits, was flagged or is gone is seen by those who look after it', async () => {
    await setKarma(app, asker, 50);
    const leadsToAsking = async (path: string) => (await a.get(path)).text.includes('data-slot="forum-ask"');
    expect([await leadsToAsking(F), await leadsToAsking(`${F}/ask`)]).toEqual([true, false]);
    const asked = await a.form(`${F}/question/new`, { question_name: 'Newcomer asks', content: 'x' });
    const path = asked.location ?? '';
    const id = Number(/\d+$/.exec(path)?.[0]);
    expect([await visible(path), await visible(path, a), await visible(path, h), await visible(path, mod)]).toEqual([
      404, 200, 200, 200,
    ]);
    expect([
      await visible(`${F}/validation_queue`, a),
      await visible(`${F}/flagged_queue`, h),
      await visible(`${F}/validation_queue`, mod),
    ]).toEqual([404, 404, 200]);
    expect(has(await mod.get(`${F}/validation_queue`), 'Newcomer asks')).toBe(true);
    expect(await mod.rpc(`${F}/post/${id}/validate`)).toBe(true);
    expect(await visible(path)).toBe(200);
    const reasons = (await mod.get(`${F}/question/${id}/ask_for_close`)).text;
    expect(reasons).toContain('spam or advertising');
    const why = await app.read((ctx) => ctx.ref('forum.reason_1'));
    await mod.form(`${F}/question/${id}/close`, { reason_id: why });
    expect(has(await app.visitor().get(path), 'This question is closed')).toBe(true);
    await mod.form(`${F}/question/${id}/reopen`);
    await mod.form(`${F}/question/${id}/delete`);
    expect([await visible(path), await visible(path, a)]).toEqual([404, 200]);
    await mod.form(`${F}/question/${id}/undelete`);
    expect(await mod.rpc(`${F}/post/${id}/flag`)).toEqual({ success: 'post_flagged_moderator' });
    expect(await visible(path)).toBe(404);
    const offensive = await app.read((ctx) => ctx.ref('forum.reason_12'));
    await mod.form(`${F}/post/${id}/mark_as_offensive`, { reason_id: offensive });
    expect(await visible(path, a)).toBe(404);
    for (const queue of ['flagged_queue', 'offensive_posts', 'closed_posts', 'deleted_posts'])
      expect(await visible(`${F}/${queue}`, mod)).toBe(200);
    await setKarma(app, asker, 120);
  });

  once('people have pages, and keep them to themselves if they like', async () => {
    expect(has(await app.visitor().get(`${F}/users`), 'Helper')).toBe(true);
    expect(has(await app.visitor().get(`${F}/user/${helper}`), 'Helper')).toBe(true);
    const saved = await h.form(`${F}/user/${helper}/save`, {
      name: 'Helper',
      email: 'helper@forum.example',
      city: 'Lyon',
      description: '<script>x</script>',
      digest: 'none',
    });
    expect(saved.location).toBe(`${F}/user/${helper}`);
    const theirs = await question(app, forum, helper, { name: 'By whom?' });
    const link = `href="${F}/user/${helper}"`;
    const page = `${F}/question/by-whom-${theirs}`;
    const author = async (client: Client) =>
      /<main[\s\S]*<\/main>/.exec((await client.get(page)).text)?.[0].includes(link);
    expect([await author(h), await author(app.visitor())]).toEqual([true, false]);
    expect(await app.visitor().get(`${F}/user/${helper}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('Private profile'),
    });
    expect(has(await app.visitor().get(`${F}/users`), 'Helper')).toBe(false);
    expect(has(await h.get(`${F}/user/${helper}`), '&lt;script&gt;')).toBe(true);
    expect((await a.form(`${F}/user/${helper}/save`, { name: 'x', email: 'x@x.example' })).status).toBe(404);
    expect((await a.get(`${F}/user/${helper}/edit`)).status).toBe(404);
    await h.form(`${F}/user/${helper}/save`, {
      name: 'Helper',
      email: 'helper@forum.example',
      website_published: 'true',
    });
    expect((await app.visitor().get(`/forum/user/${helper}/avatar`)).headers.get('content-type')).toContain('image/');
    expect(has(await app.visitor().get(`${F}/badge`), 'Teacher')).toBe(true);
    const partner = await app.read(
      async (ctx) => (await ctx.model(ForumUser).get(helper, { select: { partner_id: true } })).partner_id,
    );
    expect((await app.visitor().get(`${F}/partner/${partner}`)).location).toBe(`${F}/user/${helper}`);
    const nobody = await member(app, 'Nobody', 0);
    expect((await app.visitor().get(`${F}/user/${nobody}`)).location).toBe(F);
  });

  once('the list of forums and the guidelines say what is in a forum', async () => {
    const asked = await question(app, forum, asker, {
      name: 'Which rose climbs highest?',
      last_activity_date: new Date(Date.now() + 60_000),
    });
    await app.write((ctx) => ctx.model(Forum).write(forum, { faq: '<p>Be kind to each other.</p>' }));
    // A forum alone is shown at once.
    const other = await newForum(app);
    const shows = async (path: string, text: string) => [path, has(await app.visitor().get(path), text)];
    expect(await shows('/forum', 'Which rose climbs highest?')).toEqual(['/forum', true]);
    expect(await shows(`${F}/faq`, 'Be kind to each other.')).toEqual([`${F}/faq`, true]);
    await app.write(async (ctx) => {
      await ctx.model(ForumPost).unlink(asked);
      await ctx.model(Forum).unlink(other);
    });
  });

  once('a form shows what it changes: a question with its title, an answer without', async () => {
    const asked = await question(app, forum, asker, { name: 'Edited?' });
    const reply = await answer(app, forum, asked, asker);
    const titled = async (id: Id) => has(await a.get(`${F}/post/${id}/edit`), 'name="question_name"');
    expect([await titled(asked), await titled(reply)]).toEqual([true, false]);
    const rename = asUser(app, asker, (ctx) => ctx.model(ForumPost).write(asked, { name: ' ' }));
    await expect(rename).rejects.toMatchObject({ fields: { name: 'Enter a title for your question.' } });
  });

  once('an answer needs a known address', async () => {
    const asked = await question(app, forum, asker);
    const silent = await member(app, 'Silent', 120);
    await app.write(async (ctx) => {
      const { partner_id } = await ctx.model(ForumUser).get(silent, { select: { partner_id: true } });
      await ctx.model(Partner).write(partner_id, { email: null });
    });
    const sent = await (await app.as('silent')).form(`${F}/post/${asked}/new`, { content: 'Like that.' });
    expect(sent.location).toBe(`${F}/user/${silent}/edit?email_required=1`);
  });

  once('turning a comment into an answer leads to the answer', async () => {
    const asked = await question(app, forum, asker);
    const path = (message: number) => `${F}/post/${asked}/comment/${message}/convert_to_answer`;
    const commented = await h.form(`${F}/post/${asked}/comment`, { comment: 'Like that, slowly.' });
    const message = Number(/comment-(\d+)$/.exec(commented.location ?? '')?.[1]);
    expect((await mod.form(path(message))).location).toMatch(/#answer-\d+$/);
    const again = await h.form(`${F}/post/${asked}/comment`, { comment: 'And once more.' });
    const second = Number(/comment-(\d+)$/.exec(again.location ?? '')?.[1]);
    // Its author has answered already.
    expect((await mod.form(path(second))).location).toBe(F);
  });

  it('the numbers of a forum decide at once what is relevant in it', async () => {
    const asked = await question(app, forum, asker);
    for (const voter of [h, mod]) await voter.form(`${F}/post/${asked}/upvote/form`);
    const relevancy = async () => Number((await post(app, asked, 'relevancy')).relevancy);
    const before = await relevancy();
    await app.write((ctx) => ctx.model(Forum).write(forum, { relevancy_time_decay: 0.5 }));
    expect(await relevancy()).toBeGreaterThan(before);
    await app.write((ctx) => ctx.model(Forum).write(forum, { relevancy_time_decay: 1.8 }));
  });

  once('a question with all its answers on the page says so to its live part', async () => {
    const asked = await question(app, forum, asker, { name: 'Whole?' });
    await answer(app, forum, asked, helper);
    expect((await app.visitor().get(`${F}/question/whole-${asked}`)).text).toMatch(/(&quot;|")isWhole(&quot;|"):true/);
  });

  once('a confirmed address lets newcomers begin, once, and only by its link', async () => {
    const user = await member(app, 'Newcomer', 0);
    const client = await app.as('newcomer');
    expect(has(await client.get(F), 'Confirm your email address to ask and answer questions.')).toBe(true);
    expect(await client.rpc('/forum/send_validation_email', { forum_id: forum })).toBe(true);
    const again = await client.form('/forum/send_validation_email/form', { forum_id: String(forum), redirect: F });
    expect(again.location).toBe(F);
    expect(has(await client.get(F), 'You’ll get an email.')).toBe(true);
    const { database } = app;
    const sent = database.knex('core_outbox').select('html').where('email', 'newcomer@forum.example');
    const { rows } = await database.reader.query(sent.toSQL().toNative());
    const html = String(rows.at(-1)?.html).replaceAll('&amp;', '&');
    const link = new URL(/href="([^"]*\/forum\/validate_email[^"]*)"/.exec(html)?.[1] ?? '', app.url);
    const path = link.pathname + link.search;
    expect((await client.get('/forum/validate_email?token=1.x&id=1')).status).toBe(404);
    expect((await client.get(path.replace(/id=\d+/, 'id=1'))).status).toBe(404);
    expect(has(await client.get(path), 'newcomer@forum.example')).toBe(true);
    expect(await karmaOf(app, user)).toBe(0);
    const fields = Object.fromEntries(link.searchParams);
    expect((await client.form('/forum/validate_email', { ...fields, token: `${fields.token}x` })).status).toBe(404);
    expect((await client.form('/forum/validate_email', fields)).location).toBe(F);
    await client.form('/forum/validate_email', fields);
    expect(await karmaOf(app, user)).toBe(7);
    expect(has(await client.get(F), 'your email address is confirmed')).toBe(true);
    expect(await client.rpc('/forum/validate_email/close')).toBe(true);
    expect(has(await client.get(F), 'your email address is confirmed')).toBe(false);
    await expect(app.visitor().rpc('/forum/send_validation_email', { forum_id: forum })).rejects.toThrow();
    clock.forward(24 * 3600_000);
    expect((await client.get(path)).status).toBe(404);
  });

  it('views are counted in later, for everybody but the author', async () => {
    const id = await question(app, forum, asker);
    const look = (client: Client) => client.post(`${F}/question/${id}/seen`, { headers: { Origin: app.url } });
    expect((await look(app.visitor())).status).toBe(204);
    await look(h);
    await look(a);
    await app.write((ctx) => ctx.jobs.enqueue(countViews, {}));
    await app.runJobs();
    expect(await post(app, id, 'views')).toMatchObject({ views: 2 });
  });

  once('a page with a hundred answers and five hundred comments takes no more queries than a small one', async () => {
    const small = await question(app, forum, asker);
    const big = await question(app, forum, asker);
    await app.write(async (ctx) => {
      const made = await ctx.model(ForumPost).create(
        Array.from({ length: 100 }, (_, n) => ({
          content: `<p>Answer ${n}</p>`,
          forum_id: forum,
          parent_id: big,
          create_uid: n % 2 ? helper : asker,
        })) as never,
      );
      const partners = await ctx.modelNamed('res.partner').search([], { limit: 20 });
      await ctx.modelNamed('mail.message').create(
        [small, big, ...(made as unknown as Id[])].flatMap((res_id) =>
          Array.from({ length: 5 }, (_, n) => ({
            model: 'forum.post',
            res_id,
            body: `<p>c${n}</p>`,
            type: 'comment',
            date: new Date(),
            author_id: partners[n] ?? null,
          })),
        ) as never,
      );
    });
    const { database } = app;
    const reading = database.reading.bind(database);
    let queries = 0;
    const spy = jest.spyOn(database, 'reading').mockImplementation((bounds) => {
      const connection = reading(bounds);
      const query: typeof connection.query = (...given) => {
        queries += 1;
        return connection.query(...given);
      };
      return Object.assign(Object.create(connection), { query });
    });
    // Nothing that others have read serves somebody who has just written through another process.
    a.keepCookies(['pergola_wrote=elsewhere']);
    // What others change meanwhile (facts of the site that are read anew) only adds.
    const reads = async (path: string): Promise<number> => {
      const counts: number[] = [];
      for (let n = 0; n < 4; n++) {
        queries = 0;
        expect((await a.get(path)).status).toBe(200);
        counts.push(queries);
      }
      return Math.min(...counts);
    };
    const slug = async (id: Id) =>
      `${F}/question/${String((await post(app, id, 'name')).name)
        .toLowerCase()
        .replace(' ', '-')}-${id}`;
    const [few, many] = [await reads(await slug(small)), await reads(await slug(big))];
    expect((await a.get(await slug(big))).text.match(/data-slot="comment"/g)?.length).toBeGreaterThan(490);
    spy.mockRestore();
    expect(many).toBeLessThanOrEqual(few + 2);
    expect(few).toBeGreaterThan(3);
  });

  it('digests tell those who wish it what they may see, and end by their link', async () => {
    await app.write(async (ctx) => {
      await ctx.model(ForumUser).write(asker, { forum_digest: 'daily', email_verified: true } as never);
      await ctx.jobs.enqueue(sendDigests, {});
    });
    await app.runJobs();
    const row = await app.read((ctx) => ctx.model(ForumUser).get(asker, { select: { forum_digest_date: true } }));
    expect(row.forum_digest_date).not.toBeNull();
    expect((await app.visitor().get(`/forum/digest/${asker}.${'x'.repeat(43)}`)).status).toBe(404);
    await app.visitor().post(`/forum/digest/${asker}.${'x'.repeat(43)}`, {
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(await app.read((ctx) => ctx.model(ForumUser).get(asker, { select: { forum_digest: true } }))).toMatchObject({
      forum_digest: 'daily',
    });
  });

  it('what is sent several times at once is there once', async () => {
    const three = async (path: string, values: Record<string, string>) => {
      const answers = await Promise.all([1, 2, 3].map(() => a.form(path, values)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      const places = new Set(answers.map(({ location }) => location));
      expect(places.size).toBe(1);
      return [...places][0] ?? '';
    };
    const asked = { question_name: 'Pressed twice?', content: '<p>Yes.</p>', question_tags: 'presses' };
    const mine = Number(/\d+$/.exec(await three(`${F}/question/new`, asked))?.[0]);
    await three(`${F}/post/${await question(app, forum, helper)}/new`, { content: 'Pressed twice.' });
    await three(`${F}/post/${mine}/comment`, { comment: 'Pressed twice.' });
    const other = await a.form(`${F}/question/new`, { ...asked, content: '<p>Another text.</p>' });
    expect(other.location).not.toContain(`-${mine}`);
  });
});
