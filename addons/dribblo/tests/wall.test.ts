import { Partner, User } from '@pergola/base';
import { Website } from '@pergola/website';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { WallPost } from '../models/club-wall-post.ts';
import { MOST_WAITING } from '../services/walls.ts';
import { makeUser, makeWall, refusalOf } from './kit.ts';

interface Post {
  readonly id: number;
  readonly name: string;
  readonly descr: string;
  readonly image: string | false;
  readonly url_post: string;
  readonly wall_id: number;
  readonly card: { readonly name: string };
  readonly waiting: boolean;
}

eachDatabase('the wall', (database, once) => {
  let app: TestApp;
  let manager: Client;
  let member: Client;
  let wall: number;
  let photo: string;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], database });
    await makeUser(app, 'keeper', ['base.group_portal', 'dribblo.group_public_wall_manager']);
    await makeUser(app, 'member', ['base.group_portal']);
    manager = await app.as('keeper');
    member = await app.as('member');
    const bytes = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
    photo = bytes.toString('base64');
  });
  beforeEach(async () => {
    wall = await makeWall(app);
  });
  afterAll(() => app?.close());

  const post = (client: Client, more: object = {}) =>
    client.rpc<Post>('/dribblo/wall/new', { name: 'News', wall_id: wall, ...more });
  const count = () => app.read((ctx) => ctx.model(WallPost).count([['wall_id', '=', wall]]));

  once('shows the beginning of a long post in short, and a short one as it is', async () => {
    const words = (length: number): string =>
      'word '
        .repeat(60)
        .slice(0, length - 1)
        .concat('.');
    const teaser = async (length: number) => {
      await post(manager, { descr: `<p>${words(length)}</p>` });
      const html = await app.visitor().rpc<string>(`/snippet/posts/${wall}`, {});
      return /<p>(word[^<]*)<\/p>/.exec(html)?.[1];
    };
    expect(await teaser(180)).toBe(words(180));
    expect(await teaser(181)).toMatch(/^word [word ]*word …$/);
  });

  once('answers a new post with the fields of the specification, and shows it', async () => {
    const made = await post(manager, { descr: '<p>Hello <b>all</b></p>' });
    expect(made).toMatchObject({
      id: expect.any(Number),
      name: 'News',
      descr: '<p>Hello <b>all</b></p>',
      image: false,
      create_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      url_post: `/wall/posts/${made.id}`,
      wall_id: wall,
    });
    expect((await app.visitor().get(`/wall/${wall}`)).text).toContain('Hello <b>all</b>');
    expect((await app.visitor().get(made.url_post)).text).toContain('<h1>News</h1>');
  });

  once('needs a title, in the words of the specification', async () => {
    for (const name of ['', '   ', undefined]) {
      expect(await refusalOf(post(manager, { name }))).toContain('The title is required!');
    }
    await manager.get('/website/lang/fr_FR?r=/');
    expect(await refusalOf(post(manager, { name: '' }))).toContain('Le titre est obligatoire!');
    await manager.get('/website/lang/default?r=/');
    expect(await count()).toBe(0);
  });

  once('takes photos as large as phones write them', async () => {
    const image = Buffer.concat([Buffer.from(photo, 'base64'), Buffer.alloc(12 * 1024 * 1024)]);
    expect(await post(manager, { image: image.toString('base64') })).toMatchObject({ image: expect.any(String) });
    const fields = { name: 'Sent', wall_id: wall, image: new Blob([image]) };
    expect(await manager.form('/dribblo/wall/new/form', fields)).toMatchObject({ status: 303 });
  });

  once('cuts a photo to the part that was chosen, five by three', async () => {
    const crop = { x1: 100, y1: 100, x2: 600, y2: 400, w: 500, h: 300 };
    const made = await post(manager, { image: `data:image/jpeg;base64,${photo}`, ...crop });
    const size = await sharp(Buffer.from(String(made.image), 'base64')).metadata();
    expect([size.width, size.height]).toEqual([500, 300]);
    const whole = await post(manager, { image: photo, ...crop, w: 0 });
    expect((await sharp(Buffer.from(String(whole.image), 'base64')).metadata()).height).toBe(384);
    const beyond = await post(manager, { image: photo, x1: 900, y1: 900, w: 5000, h: 3000 });
    expect((await sharp(Buffer.from(String(beyond.image), 'base64')).metadata()).width).toBe(100);
  });

  once.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>').toString('base64')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')],
    ['no base64', '<script>'],
    ['a broken picture', Buffer.from('\xff\xd8\xff\xe0 not a picture', 'latin1').toString('base64')],
  ])('takes no %s for a photo', async (_name, image) => {
    expect(await refusalOf(post(manager, { image }))).toContain('Only image files can be uploaded');
    expect(await count()).toBe(0);
  });

  once('keeps of a photo the picture alone: no place, no owner, nothing behind it', async () => {
    const taken = await sharp(Buffer.from(photo, 'base64'))
      .withExif({ IFD0: { Copyright: 'the owner' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1' } })
      .jpeg()
      .toBuffer();
    const image = Buffer.concat([taken, Buffer.from('<script>alert(1)</script>')]).toString('base64');
    const { id } = await post(manager, { image });
    const [, address = ''] =
      /src="([^"]*club\.wall\.post[^"]*)"/.exec((await app.visitor().get(`/wall/posts/${id}`)).text) ?? [];
    const answer = await app.visitor().get(address.replaceAll('&amp;', '&'));
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/jpeg',
      'nosniff',
    ]);
    const kept = await app.read(async (ctx) => {
      const { image: file } = await ctx.model(WallPost).get(id, { select: { image: true } });
      return Buffer.from((file && (await ctx.files.get(file.hash))) ?? []);
    });
    expect(kept.length).toBeGreaterThan(500);
    expect((await sharp(kept).metadata()).exif).toBeUndefined();
    expect(kept.includes('the owner') || kept.includes('alert(1)')).toBe(false);
  });

  once.each(['x1', 'w'])('takes no text for %s of a crop', async (name) => {
    expect(await refusalOf(post(manager, { image: photo, x1: 0, y1: 0, w: 5, h: 3, [name]: 'a' }))).toContain(name);
  });

  once('keeps scripts out of what is written', async () => {
    const made = await post(manager, {
      name: '<img src=x onerror=alert(1)>',
      descr: '<p onclick="alert(1)">Hi<script>alert(1)</script><a href="javascript:alert(1)">x</a></p>',
    });
    expect(made.descr).toBe('<p>Hi<a rel="nofollow ugc noopener">x</a></p>');
    const { text } = await app.visitor().get(`/wall/${wall}`);
    expect(text).toContain('&lt;img src');
    expect(text).not.toMatch(/onerror=alert\(1\)>(?!;)<|onclick=/);
  });

  once('is for wall managers, and for members only where the wall says so', async () => {
    expect(await refusalOf(post(app.visitor()))).toMatch(/sign in|session/i);
    expect(await refusalOf(post(member))).toContain('You can’t post on this wall.');
    expect(await count()).toBe(0);
  });

  once('holds posts of members until a wall manager approves them', async () => {
    wall = await makeWall(app, { member_posts: true });
    const picture = new Blob([new Uint8Array(Buffer.from(photo, 'base64'))]);
    expect((await member.form('/website/attach', { upload: picture })).json()).toMatchObject({ width: 1000 });
    const made = await post(member, { name: 'From a member' });
    expect(made.waiting).toBe(true);
    const seen = async (client: Client) => (await client.get(`/wall/${wall}`)).text.includes('From a member');
    expect([await seen(app.visitor()), await seen(manager)]).toEqual([false, true]);
    expect((await app.visitor().get(made.url_post)).status).toBe(404);
    expect((await member.get(made.url_post)).status).toBe(200);
    expect((await member.form('/dribblo/post/approve', { post_id: made.id })).status).toBe(404);
    await manager.form('/dribblo/post/approve', { post_id: made.id });
    expect(await seen(app.visitor())).toBe(true);
  });

  once('lets nobody fill it with posts that wait', async () => {
    wall = await makeWall(app, { member_posts: true });
    await makeUser(app, `busy-${wall}`, ['base.group_portal']);
    const busy = await app.as(`busy-${wall}`);
    for (let index = 0; index < MOST_WAITING; index++) await post(busy);
    expect(await refusalOf(post(busy))).toContain('awaiting approval');
    expect(await count()).toBe(MOST_WAITING);
  });

  it('takes thirty posts of one person in ten minutes, however many are sent', async () => {
    await makeUser(app, 'eager', ['base.group_portal', 'dribblo.group_public_wall_manager']);
    const eager = await app.as('eager');
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => refusalOf(post(eager))));
    expect(outcomes.filter((text) => text === 'no refusal')).toHaveLength(30);
    expect(outcomes.find((text) => text !== 'no refusal')).toContain('You’ve tried too many times. Try again in ');
    expect(await count()).toBe(30);
  });

  it('loads six at a time, none twice, and says how many there are', async () => {
    await app.write((ctx) =>
      ctx
        .model(WallPost)
        .create(
          Array.from({ length: 8 }, (_, index) => ({ wall_id: wall, name: `Post ${index}`, website_published: true })),
        ),
    );
    const page = (await app.visitor().get(`/wall/${wall}`)).text;
    const displayed = [...page.matchAll(/data-post-id="(\d+)"/g)].map(([, id]) => Number(id));
    expect([displayed.length, page.includes('js_more')]).toEqual([6, true]);
    const more = await app
      .visitor()
      .rpc<{ posts: Post[]; total: number }>('/dribblo/wall', { displayed, wall_id: wall });
    expect([more.total, more.posts.map(({ name }) => name)]).toEqual([8, ['Post 1', 'Post 0']]);
    expect(more.posts[0]?.card.name).toBe('Post 1');
    const all = (await app.visitor().get(`/wall/${wall}?shown=12`)).text;
    expect([all.match(/data-post-id/g)?.length, all.includes('js_more')]).toEqual([8, false]);
    expect((await app.visitor().rpc<string>(`/snippet/posts/${wall}`)).match(/<article/g)).toHaveLength(6);
  });

  once('is one of those that a block shows the posts of', async () => {
    await post(manager, { name: 'Of this wall' });
    await post(manager, { name: 'Of another', wall_id: await makeWall(app) });
    const shown = async (params: object) => {
      const html = await app.visitor().rpc<string>('/sn_posts', { next: 24, ...params });
      return [html.includes('Of this wall'), html.includes('Of another'), html.includes('club-posts-rows')];
    };
    expect(await shown({})).toEqual([true, true, false]);
    expect(await shown({ wall, look: 'rows' })).toEqual([true, false, true]);
  });

  once('is emptied by wall managers only', async () => {
    const made = await post(manager);
    expect(await refusalOf(member.rpc('/dribblo/post/delete', { post_id: made.id }))).toContain('Only wall managers');
    expect((await member.form('/dribblo/post/delete/form', { post_id: made.id })).status).toBe(403);
    expect(await count()).toBe(1);
    expect(await manager.rpc('/dribblo/post/delete', { post_id: made.id })).toBe(true);
    expect(await count()).toBe(0);
    expect(await refusalOf(manager.rpc('/dribblo/post/delete', { post_id: made.id }))).toContain(
      'We can’t find that post.',
    );
  });

  once('lets authors ask for the removal of their posts, and nobody else', async () => {
    wall = await makeWall(app, { member_posts: true });
    const made = await post(member, { name: 'Please remove' });
    await manager.form('/dribblo/post/approve', { post_id: made.id });
    await makeUser(app, `other-${wall}`, ['base.group_portal']);
    const other = await app.as(`other-${wall}`);
    expect((await other.form('/dribblo/post/ask-removal', { post_id: made.id })).status).toBe(404);
    expect((await member.form('/dribblo/post/ask-removal', { post_id: made.id })).status).toBe(303);
    expect((await manager.get(`/wall/${wall}`)).text).toContain('Removal requested by the author');
  });

  once('does not exist for visitors before it is published', async () => {
    const hidden = await makeWall(app, { website_published: false });
    expect((await app.visitor().get(`/wall/${hidden}`)).status).toBe(404);
    expect(await refusalOf(app.visitor().rpc('/dribblo/wall', { displayed: [], wall_id: hidden }))).toContain(
      'We can’t find that wall.',
    );
    expect(await refusalOf(member.rpc('/dribblo/wall/new', { name: 'x', wall_id: hidden }))).toContain(
      'We can’t find that wall.',
    );
  });

  once('of another website does not exist here', async () => {
    const other = await app.write(async (ctx) => {
      const sites = ctx.model(Website);
      const [here] = await sites.find([], { select: { language_ids: true, default_lang_id: true }, limit: 1 });
      return sites.create({
        name: 'Elsewhere',
        domain: `elsewhere-${wall}.example`,
        language_ids: here?.language_ids ?? [],
        default_lang_id: here?.default_lang_id ?? 0,
      });
    });
    const foreign = await makeWall(app, { website_id: other, member_posts: true });
    for (const client of [app.visitor(), member, manager]) {
      expect((await client.get(`/wall/${foreign}`)).status).toBe(404);
      expect(await refusalOf(client.rpc('/dribblo/wall', { wall_id: foreign }))).toContain('We can’t find that wall.');
    }
    expect(await refusalOf(manager.rpc('/dribblo/wall/new', { name: 'x', wall_id: foreign }))).toContain(
      'We can’t find that wall.',
    );
    expect(await refusalOf(app.visitor().rpc(`/snippet/posts/${foreign}`))).toContain('We can’t find that wall.');
  });

  once('keeps posts of people who have left, as those of a former member', async () => {
    await makeUser(app, `leaver-${wall}`, ['base.group_portal', 'dribblo.group_public_wall_manager']);
    await post(await app.as(`leaver-${wall}`), { name: 'A last word' });
    await app.write(async (ctx) => {
      const [user] = await ctx.model(User).find([['login', '=', `leaver-${wall}`]], { select: { partner_id: true } });
      await ctx.model(User).unlink(user?.id ?? 0);
      await ctx.model(Partner).unlink(user?.partner_id ?? 0);
    });
    expect((await app.visitor().get(`/wall/${wall}`)).text).toMatch(/A last word[\s\S]*former member/);
  });

  once('goes back from a post to where the reader came from, on this site', async () => {
    const { url_post } = await post(manager);
    const back = async (redirect: string) =>
      /<a href="([^"]*)"[^>]*><svg[^>]*>.*?<\/svg> Back/s.exec(
        (await app.visitor().get(`${url_post}?redirect=${encodeURIComponent(redirect)}`)).text,
      )?.[1];
    expect(await back('/club?x=1')).toBe('/club?x=1');
    expect(await back('/fr/club?x=1')).toBe('/club?x=1');
    expect(await back('https://evil.example/')).toBe('/');
    expect(await back('//evil.example/')).toBe('/');
  });

  once('leads from the wall and from calls to a post with the address of the page, its query too', async () => {
    await post(manager);
    const redirects = (html: string) => [
      ...new Set(
        [...html.matchAll(/href="[^"]*\/wall\/posts\/\d+\?redirect=([^"]*)"/g)].map(([, to = '']) =>
          decodeURIComponent(to),
        ),
      ),
    ];
    expect(redirects((await app.visitor().get(`/wall/${wall}?x=1`)).text)).toEqual([`/wall/${wall}?x=1`]);
    const { text } = await app.visitor().get(`/fr/wall/${wall}?shown=12`);
    expect(redirects(text)).toEqual([`/fr/wall/${wall}?shown=12`]);
    const answer = await app.visitor().post(`/snippet/posts/${wall}`, {
      headers: { 'Content-Type': 'application/json', Referer: `${app.url}/club?x=1` },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'call', params: {}, id: 1 }),
    });
    expect(redirects(answer.json<{ result: string }>().result)).toEqual(['/club?x=1']);
  });

  once('works as a form without scripts', async () => {
    const answer = await manager.form('/dribblo/wall/new/form', {
      wall_id: wall,
      name: 'By form',
      descr: 'one\n\ntwo <3',
    });
    expect([answer.status, answer.location]).toEqual([303, `/wall/${wall}`]);
    const { text } = await app.visitor().get(`/wall/${wall}`);
    expect(text).toContain('<p>one</p><p>two &lt;3</p>');
    const again = await manager.form('/dribblo/wall/new/form', { wall_id: wall, name: '', descr: 'kept' });
    expect(again.status).toBe(422);
    expect(again.text).toContain('kept');
  });
});
