import { get, type IncomingMessage } from 'node:http';
import type { Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp, until } from 'pergola/testing';
import { ForumPost } from '../models/forum-post.ts';
import { answer, asUser, helpForum, member, newForum, question } from './kit.ts';

interface Told {
  readonly newest?: readonly Id[];
  readonly votes?: Readonly<Record<Id, number>>;
  readonly answers?: readonly Id[];
  readonly accepted?: Id | null;
  readonly notes?: readonly { readonly id: Id; readonly text: string }[];
  readonly unread?: number;
}

/** Listens as a browser does, and keeps what it is told. */
class Listener {
  readonly told: Told[] = [];
  reply: IncomingMessage | null = null;
  isEnded = false;
  #rest = '';

  static open(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Listener> {
    const listener = new Listener();
    return new Promise((resolve, reject) => {
      get(app.url + path, { agent: false, headers }, (reply) => {
        listener.reply = reply;
        reply.setEncoding('utf8').on('data', (piece: string) => listener.#hear(piece));
        reply.on('close', () => {
          listener.isEnded = true;
        });
        resolve(listener);
      }).on('error', reject);
    });
  }

  get last(): Told | undefined {
    return this.told.at(-1);
  }

  close(): void {
    this.reply?.destroy();
  }

  #hear(piece: string): void {
    const events = (this.#rest + piece).split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const event of events) if (event.startsWith('data: ')) this.told.push(JSON.parse(event.slice(6)));
  }
}

eachDatabase('Live notices of the forum', (database, once) => {
  let app: TestApp;
  let ada: Id;
  let forum: Id;
  const open: Listener[] = [];
  const listen = async (path: string, from: TestApp = app, headers?: Record<string, string>): Promise<Listener> => {
    const listener = await Listener.open(from, path, headers);
    open.push(listener);
    return listener;
  };
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum'], database });
    ada = await member(app, 'Ada', 1000);
    forum = await newForum(app);
  });
  afterEach(() => {
    for (const listener of open.splice(0)) listener.close();
  });
  afterAll(() => app.close());

  test('a list is told of new questions, by whichever process they came, and of nothing that not everybody sees', async () => {
    await using other = await app.secondNode();
    const list = await newForum(app);
    const first = await question(app, list, ada);
    const [here, there] = [await listen(`/forum/live/${list}`), await listen(`/forum/live/${list}`, other)];
    await until(() => here.told.length > 0 && there.told.length > 0);
    expect([here.last, there.last]).toEqual([{ newest: [first] }, { newest: [first] }]);
    await question(app, list, ada, { state: 'pending' });
    const second = await question(app, list, ada);
    await until(() => here.told.length > 1 && there.told.length > 1);
    const third = await question(other, list, ada);
    await until(() => [here, there].every(({ last }) => last?.newest?.[0] === third));
    for (const { told } of [here, there]) {
      expect(told.at(-1)).toEqual({ newest: [third, second, first] });
      // Nothing was told twice.
      expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(told.length);
    }
  });

  once('a question is told of answers, votes and the accepted one', async () => {
    const asked = await question(app, forum, ada);
    const listener = await listen(`/forum/live/${forum}/${asked}`);
    await until(() => listener.told.length > 0);
    expect(listener.last).toEqual({ votes: { [asked]: 0 }, answers: [], accepted: null });
    const given = await answer(app, forum, asked, ada);
    await until(() => listener.last?.answers?.includes(given) === true);
    await app.write((ctx) => ctx.model(ForumPost).write(given, { is_correct: true }));
    await until(() => listener.last?.accepted === given);
    const bob = await app.as('ada');
    const other = await question(app, forum, null);
    const watched = await listen(`/forum/live/${forum}/${other}`);
    const path = /\/forum\/[^/]+/.exec((await bob.get(`/forum/${forum}`)).location ?? '')?.[0];
    await bob.rpc(`${path}/post/${other}/upvote`);
    await until(() => watched.last?.votes?.[other] === 1);
  });

  once('nobody hears of what is not for everybody, or not there', async () => {
    const hidden = await question(app, forum, ada, { state: 'pending' });
    const admin = await app.as('admin');
    for (const path of [
      `/forum/live/${forum}/${hidden}`,
      '/forum/live/99999',
      `/forum/live/${await helpForum(app)}/${hidden}`,
    ]) {
      expect([path, (await app.visitor().get(path)).status]).toEqual([path, 404]);
      expect([path, (await admin.get(path)).status]).toEqual([path, 404]);
    }
  });

  test('people are told what is new for them, in every tab and by whichever process, until they sign out', async () => {
    await using other = await app.secondNode();
    const bob = await member(app, 'Bob', 100);
    const clients = [await app.as('bob'), await app.as('bob')] as const;
    const asked = await question(app, forum, bob);
    const path = `/forum/live/${forum}/notes`;
    const cookies = ({ cookieHeader }: (typeof clients)[0]) => ({ cookie: cookieHeader });
    const [here, there, away] = [
      await listen(path, app, cookies(clients[0])),
      await listen(path, other, cookies(clients[0])),
      await listen(path, app, cookies(clients[1])),
    ];
    const neighbour = await listen(path, app, cookies(await app.as('ada')));
    await until(() => [here, there, away, neighbour].every(({ told }) => told.length === 1));
    expect(here.last).toEqual({ notes: [], unread: 0 });
    const given = await asUser(app, ada, (ctx) =>
      ctx.model(ForumPost).create({ forum_id: forum, parent_id: asked, content: '<p>Like this.</p>' }),
    );
    expect(given).toBeGreaterThan(0);
    await until(() => [here, there, away].every(({ last }) => last?.unread === 1));
    expect(here.last?.notes?.[0]?.text).toMatch(/^New answer/);
    // Somebody else is told nothing of it.
    expect(neighbour.told).toHaveLength(1);
    await clients[0].rpc('/forum/notification_read');
    await until(() => [here, there, away].every(({ last }) => last?.unread === 0));
    await clients[1].form('/web/logout');
    const before = away.told.length;
    await asUser(app, ada, (ctx) => ctx.model(ForumPost).comment([asked], 'Really?'));
    await until(() => here.last?.unread === 1 && away.isEnded);
    expect(away.told).toHaveLength(before);
    const stranger = await Listener.open(app, path);
    expect(stranger.reply?.statusCode).toBe(401);
    stranger.close();
  });

  once('proxies neither keep it back nor store it', async () => {
    const { reply } = await listen(`/forum/live/${forum}`);
    expect(reply?.statusCode).toBe(200);
    expect(reply?.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(reply?.headers['content-encoding']).toBeUndefined();
  });

  test('while fifty listen, the forum goes and comes back, and no request is left hanging', async () => {
    await using own = await createTestApp({ addons: ['forum'], database });
    const path = `/forum/live/${await helpForum(own)}`;
    const listeners = await Promise.all(Array.from({ length: 50 }, () => listen(path, own)));
    await until(() => listeners.every(({ told }) => told.length === 1));
    await own.application.lifecycle.disable(['forum'], { yes: true });
    await until(() => listeners.every(({ isEnded }) => isEnded));
    expect((await own.visitor().get(path)).status).toBe(404);
    await own.application.lifecycle.enable(['forum']);
    const again = await listen(path, own);
    await until(() => again.told.length === 1);
  });

  test('a process that stops sends its listeners away', async () => {
    const other = await app.secondNode();
    const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(`/forum/live/${forum}`, other)));
    await until(() => listeners.every(({ told }) => told.length === 1));
    await other.close();
    await until(() => listeners.every(({ isEnded }) => isEnded));
  });

  once('pages have the notice for those with JavaScript, and are kept as before', async () => {
    const asked = await question(app, forum, ada);
    const visitor = app.visitor();
    const list = (await visitor.get(`/forum/${forum}`)).location ?? '';
    expect((await visitor.get(list)).text).toMatch(/data-name="forum.LiveList"[\s\S]*?"newest":\d+/);
    const page = `${list}/question/${asked}`;
    const text = (await visitor.get((await visitor.get(page)).location ?? page)).text;
    expect(text).toContain('data-name="forum.LiveQuestion"');
  });
});

test('one network gets so many streams and no more', async () => {
  await using app = await createTestApp({ addons: ['forum'], env: { TRUSTED_PROXIES: 'loopback' } });
  const forum = await helpForum(app);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const listeners = await Promise.all(
    Array.from({ length: 40 }, () => Listener.open(app, `/forum/live/${forum}`, headers)),
  );
  expect(listeners.map(({ reply }) => reply?.statusCode)).toEqual(Array(40).fill(200));
  const one = await Listener.open(app, `/forum/live/${forum}`, headers);
  expect(one.reply?.statusCode).toBe(429);
  const elsewhere = await Listener.open(app, `/forum/live/${forum}`, { 'x-forwarded-for': '203.0.113.10' });
  expect(elsewhere.reply?.statusCode).toBe(200);
  for (const listener of [...listeners, one, elsewhere]) listener.close();
});
