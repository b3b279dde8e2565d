import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { InvalidInput } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import type { Ctx } from '../../../core/context/context.ts';
import { contextTools } from '../../../core/context/context-tools.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { make, type OpenTest, openTest, sql, until } from '../../db/tests/support.ts';
import type { Database } from '../../db/types.ts';
import type { RequestSession, SessionDraft } from '../sessions/session.ts';
import { endSessions, listSessions } from '../sessions/session-admin.ts';
import { DatabaseSessions } from '../sessions/sessions.ts';
import { tables } from '../tables.ts';

const caller = {
  ip: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const day = 86_400_000;

/** A browser: keeps the session cookie it is given, for any store. */
class Visitor {
  cookies: Record<string, string> = {};
  lines: readonly string[] = [];

  async visit(
    store: DatabaseSessions,
    work: (draft: SessionDraft, session: RequestSession) => void = () => {},
  ): Promise<RequestSession> {
    const session = await store.load(this.cookies);
    const draft = session.draft();
    work(draft, session);
    this.lines = await draft.commit(caller);
    for (const line of this.lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') delete this.cookies[name];
      else this.cookies[name] = value;
    }
    return session;
  }

  get id(): string | undefined {
    return this.cookies.session_id ?? this.cookies['__Host-session_id'];
  }
}

/** As much of a context as listing and ending sessions needs. */
function contextOf(database: Database, transaction: unknown, session: SessionDraft | null = null): Ctx {
  const inner = { database, connection: transaction ?? database.reader, transaction };
  const get = (key: unknown) => (key === contextTools ? { tracker: null } : inner);
  return { now: () => new Date(), session: { number: session?.number ?? null }, get } as unknown as Ctx;
}

eachDatabase('Sessions', (dialect) => {
  let opened: OpenTest;
  let other: Database;
  let now = Date.now();
  const stores: DatabaseSessions[] = [];
  const store = (about: { on?: Database; secure?: boolean } = {}): DatabaseSessions => {
    const made = new DatabaseSessions({
      database: about.on ?? opened.database,
      log: createLog('silent'),
      secret: 'a secret of sixteen or more',
      secure: about.secure ?? false,
      clock: () => now,
    });
    stores.push(made);
    return made;
  };
  const rowCount = async (): Promise<number> =>
    Number((await sql(opened.database.reader, 'select count(*) as n from core_session'))[0]?.n);

  beforeAll(async () => {
    opened = await openTest(dialect);
    await make(opened.database, ...tables);
    other = await opened.another();
  });
  beforeEach(() => {
    now = Date.now();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((made) => made.close()));
    await opened.database.write(async (transaction) => {
      await sql(transaction, 'delete from core_session');
      transaction.touch('core_session');
    });
  });
  afterAll(() => opened.close());

  test('leave visitors without row and cookie until something is kept', async () => {
    const visitor = new Visitor();
    const sessions = store();
    const before = opened.database.metrics();
    const session = await visitor.visit(sessions, (draft) => {
      expect(draft.get('cart')).toBeUndefined();
      draft.set('cart', undefined);
      draft.renew();
      draft.signOut();
    });
    expect([session.exists, session.userId, session.csrfSecret, visitor.lines]).toEqual([false, null, null, []]);
    expect(opened.database.metrics().reads).toBe(before.reads);
    expect(await rowCount()).toBe(0);
  });

  test('are begun by the first value, with a cookie that scripts cannot read and a row that does not hold the id', async () => {
    const visitor = new Visitor();
    const sessions = store();
    await visitor.visit(sessions, (draft) => draft.set('cart', { id: 5 }));
    expect(visitor.lines).toEqual([
      expect.stringMatching(/^session_id=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const rows = await sql(opened.database.reader, 'select * from core_session');
    expect(JSON.stringify(rows)).not.toContain(visitor.id);
    expect(rows).toMatchObject([{ ip: '203.0.113.9', agent: 'Firefox, Linux' }]);

    for (const node of [sessions, store({ on: other })]) {
      const session = await visitor.visit(node, (draft) => {
        expect(draft.get('cart')).toEqual({ id: 5 });
        expect(draft.get('toString')).toBeUndefined();
      });
      expect(session.exists).toBe(true);
      expect(visitor.lines).toEqual([]);
    }
  });

  test('have a cookie for this host and https alone where the site is https', async () => {
    const visitor = new Visitor();
    await visitor.visit(store({ secure: true }), (draft) => draft.signIn(7));
    expect(visitor.lines).toEqual([
      expect.stringMatching(/^__Host-session_id=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect((await store({ secure: true }).load({ session_id: visitor.id })).exists).toBe(false);
  });

  test('never take over an id that they did not give', async () => {
    const sessions = store();
    for (const preset of ['x', 'A'.repeat(43), '', "' or 1=1 --", 'A'.repeat(10_000)]) {
      const visitor = new Visitor();
      visitor.cookies.session_id = preset;
      const session = await visitor.visit(sessions, (draft) => draft.signIn(7));
      expect(session.exists).toBe(false);
      expect(visitor.id).toMatch(/^[\w-]{43}$/);
      expect(visitor.id).not.toBe(preset);
    }
  });

  test('get a new id at every step, and the old one is dead at once here, and elsewhere as soon as that is heard', async () => {
    const [here, elsewhere] = [store(), store({ on: other })];
    const visitor = new Visitor();
    await visitor.visit(here, (draft) => draft.set('cart', 1));
    const steps: ((draft: SessionDraft) => void)[] = [
      (draft) => draft.signIn(7),
      (draft) => draft.renew(),
      (draft) => draft.signOut(),
    ];
    for (let round = 0; round < 15; round += 1) {
      const step = steps[round % 3] ?? steps[0];
      if (round % 3 === 0) await visitor.visit(here, (draft) => draft.set('round', round));
      const old = { ...visitor.cookies };
      expect((await elsewhere.load(old)).exists).toBe(true);
      const before = other.changes.version('core_session');
      await visitor.visit(here, step);
      expect(visitor.id).not.toBe(old.session_id);
      expect((await here.load(old)).exists).toBe(false);
      await until(() => other.changes.version('core_session') > before);
      expect((await elsewhere.load(old)).exists).toBe(false);
      expect((await elsewhere.load(visitor.cookies)).exists).toBe(round % 3 !== 2);
    }
  });

  test('carry what a visitor had into the signed-in session, and nothing from one user to the next', async () => {
    const sessions = store();
    const visitor = new Visitor();
    await visitor.visit(sessions, (draft) => draft.set('cart', 1));
    const anonymous = (await sessions.load(visitor.cookies)).csrfSecret;
    await visitor.visit(sessions, (draft) => {
      draft.signIn(7);
      draft.set('seen', true);
      expect(draft.get('cart')).toBe(1);
    });
    let session = await visitor.visit(sessions, (draft) => {
      expect([draft.get('cart'), draft.get('seen')]).toEqual([1, true]);
      draft.signIn(8);
    });
    expect(session.userId).toBe(7);
    expect(session.csrfSecret).not.toEqual(anonymous);
    session = await visitor.visit(sessions, (draft) => {
      expect(draft.get('cart')).toBeUndefined();
      draft.set('mine', 1);
      draft.signOut();
      expect(draft.get('mine')).toBeUndefined();
    });
    expect(session.userId).toBe(8);
    expect(visitor.lines).toEqual(['session_id=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect(await rowCount()).toBe(0);
  });

  test('keep values of requests that run side by side', async () => {
    const visitor = new Visitor();
    const [here, elsewhere] = [store(), store({ on: other })];
    await visitor.visit(here, (draft) => draft.set('start', 0));
    const drafts = await Promise.all(
      [here, elsewhere, here].map(async (node) => (await node.load(visitor.cookies)).draft()),
    );
    drafts.forEach((draft, number) => {
      draft.set(`key${number}`, number);
    });
    await Promise.all(drafts.map((draft) => draft.commit(caller)));
    // As the reply to a write says it; else this node could still show what it had a moment ago.
    visitor.cookies.pergola_wrote = 'elsewhere.1';
    await visitor.visit(here, (draft) => {
      expect(['start', 'key0', 'key1', 'key2'].map((key) => draft.get(key))).toEqual([0, 0, 1, 2]);
    });
  });

  test('forget what a handler wanted in a try that is run again', async () => {
    const sessions = store();
    const session = await sessions.load({});
    session.draft().signIn(7);
    expect(await session.draft().commit(caller)).toEqual([]);
  });

  test('hand out copies, so that a request cannot change what another one reads', async () => {
    const sessions = store();
    const visitor = new Visitor();
    const list = ['a'];
    await visitor.visit(sessions, (draft) => {
      draft.set('list', list);
      list.push('b');
      expect(draft.get('list')).toEqual(['a']);
    });
    await visitor.visit(sessions, (draft) => (draft.get('list') as string[]).push('c'));
    await visitor.visit(sessions, (draft) => expect(draft.get('list')).toEqual(['a']));
  });

  test('keep their id when groups come or go because addons are switched', async () => {
    const sessions = store();
    const visitor = new Visitor();
    const noting =
      (groups: readonly string[], addons: readonly string[]) => (_: SessionDraft, session: RequestSession) =>
        session.noteGroups(
          new Set(groups),
          addons.map((name) => ({ name })),
        );
    await visitor.visit(sessions, (draft) => draft.signIn(7));
    for (const isOn of [true, false, true]) {
      const [groups, addons] = isOn
        ? [
            ['user', 'forum'],
            ['base', 'forum'],
          ]
        : [['user'], ['base']];
      await visitor.visit(sessions, noting(groups, addons));
      await sessions.close();
      expect(visitor.lines).toEqual([]);
      now += 2_000;
    }
    await visitor.visit(sessions, noting(['user', 'manager', 'forum'], ['base', 'forum']));
    expect(visitor.lines).toHaveLength(1);
  });

  test('get a new id when the groups of their user change, while requests on their way still count for a second', async () => {
    const sessions = store();
    const visitor = new Visitor();
    const noting =
      (...groups: string[]) =>
      (_: SessionDraft, session: RequestSession) =>
        session.noteGroups(new Set(groups), addons);
    const addons = [{ name: 'base' }];
    await visitor.visit(sessions, (draft) => draft.signIn(7));
    await visitor.visit(sessions, noting('user'));
    await sessions.close();
    await visitor.visit(sessions, noting('user'));
    expect(visitor.lines).toEqual([]);

    const old = { ...visitor.cookies };
    const parallel = [new Visitor(), new Visitor(), new Visitor()];
    for (const one of parallel) one.cookies = { ...old };
    await Promise.all(parallel.map((one) => one.visit(sessions, noting('user', 'manager'))));
    expect(parallel.filter(({ lines }) => lines.length > 0)).toHaveLength(1);
    const [renewed] = parallel.filter(({ lines }) => lines.length > 0);
    expect(renewed?.id).not.toBe(old.session_id);
    expect((await sessions.load(old)).userId).toBe(7);
    expect((await sessions.load(renewed?.cookies ?? {})).userId).toBe(7);
    now += 1_001;
    expect((await sessions.load(old)).exists).toBe(false);
    expect((await sessions.load(renewed?.cookies ?? {})).userId).toBe(7);
  });

  test('end after 7 days without a request and after 90 days at all', async () => {
    const sessions = store();
    const idle = new Visitor();
    await idle.visit(sessions, (draft) => draft.signIn(7));
    now += 7 * day - 1;
    expect((await sessions.load(idle.cookies)).exists).toBe(true);
    now += 7 * day;
    expect((await sessions.load(idle.cookies)).exists).toBe(false);

    const busy = new Visitor();
    await busy.visit(sessions, (draft) => draft.signIn(7));
    for (let days = 0; days < 90; days += 5) {
      expect((await sessions.load(busy.cookies)).exists).toBe(true);
      await sessions.close();
      if (days === 45) await busy.visit(sessions, (draft) => draft.renew());
      now += 5 * day;
    }
    expect((await sessions.load(busy.cookies)).exists).toBe(false);
    expect(await sessions.sweep()).toBe(2);
    expect(await rowCount()).toBe(0);
  });

  test('live on when another node sees them', async () => {
    const [here, elsewhere] = [store(), store({ on: other })];
    const visitor = new Visitor();
    await visitor.visit(here, (draft) => draft.signIn(7));
    await here.load(visitor.cookies);
    now += 6 * day;
    expect((await elsewhere.load(visitor.cookies)).exists).toBe(true);
    await elsewhere.close();
    now += 6 * day;
    expect((await here.load(visitor.cookies)).exists).toBe(true);
  });

  test('are noted as seen every five minutes at most, and outside of the request', async () => {
    const sessions = store();
    const visitor = new Visitor();
    await visitor.visit(sessions, (draft) => draft.signIn(7));
    const { writes } = opened.database.metrics();
    for (let minute = 0; minute < 12; minute += 1) {
      now += 60_000;
      await visitor.visit(sessions);
    }
    expect(opened.database.metrics().writes).toBe(writes);
    await sessions.close();
    expect(opened.database.metrics().writes).toBe(writes + 1);
  });

  test('are read from memory until a session changes', async () => {
    const sessions = store();
    const [one, two] = [new Visitor(), new Visitor()];
    await one.visit(sessions, (draft) => draft.signIn(7));
    await two.visit(sessions, (draft) => draft.set('cart', 1));
    await sessions.load(one.cookies);
    const { reads } = opened.database.metrics();
    for (let times = 0; times < 10; times += 1) await sessions.load(one.cookies);
    expect(opened.database.metrics().reads).toBe(reads);
    await two.visit(sessions, (draft) => draft.set('cart', 2));
    const after = opened.database.metrics().reads;
    await sessions.load(one.cookies);
    expect(opened.database.metrics().reads).toBe(after + 1);
    // Somebody who wrote through another process a moment ago is read anew.
    await sessions.load({ ...one.cookies, pergola_wrote: 'elsewhere.1' });
    expect(opened.database.metrics().reads).toBe(after + 2);
  });

  test('are read each time while changes of other nodes may go unheard', async () => {
    const deaf: Database = Object.create(opened.database, { changes: { value: { healthy: false, version: () => 0 } } });
    const sessions = store({ on: deaf });
    const visitor = new Visitor();
    await visitor.visit(store(), (draft) => draft.signIn(7));
    const { reads } = opened.database.metrics();
    for (let times = 0; times < 3; times += 1) await sessions.load(visitor.cookies);
    expect(opened.database.metrics().reads).toBe(reads + 3);
  });

  test('refuse more than they should hold', async () => {
    const visitor = new Visitor();
    const tooMuch = visitor.visit(store(), (draft) => draft.set('notes', 'x'.repeat(40_000)));
    await expect(tooMuch).rejects.toThrow(InvalidInput);
    expect(await rowCount()).toBe(0);
  });

  test('are listed for their user, who may end one, or all but this one, on all nodes', async () => {
    const [here, elsewhere] = [store(), store({ on: other })];
    const [phone, laptop, desk, stranger] = [new Visitor(), new Visitor(), new Visitor(), new Visitor()];
    for (const [visitor, user] of [
      [phone, 7],
      [laptop, 7],
      [desk, 7],
      [stranger, 8],
    ] as const) {
      await visitor.visit(here, (draft) => draft.signIn(user));
    }
    const current = (await here.load(desk.cookies)).draft();
    const listed = await listSessions(contextOf(opened.database, null, current), 7);
    expect(listed.map((one) => one.current)).toEqual([true, false, false]);
    expect(listed[0]).toMatchObject({ number: current.number, ip: '203.0.113.9', agent: 'Firefox, Linux' });

    const end = (user: number, which: Parameters<typeof endSessions>[2]): Promise<number> =>
      opened.database.write((transaction) =>
        endSessions(contextOf(opened.database, transaction, current), user, which),
      );
    expect(await end(8, { only: listed[1]?.number })).toBe(0);
    expect((await elsewhere.load(laptop.cookies)).exists).toBe(true);
    expect(await end(7, { only: listed[1]?.number })).toBe(1);
    expect((await here.load(laptop.cookies)).exists).toBe(false);
    expect(await end(7, { exceptCurrent: true })).toBe(1);
    let alive = true;
    const watch = setInterval(() => void elsewhere.load(phone.cookies).then(({ exists }) => (alive = exists)), 5);
    await until(() => !alive).finally(() => clearInterval(watch));
    expect((await here.load(desk.cookies)).exists).toBe(true);
    expect((await here.load(stranger.cookies)).exists).toBe(true);
    await expect(endSessions(contextOf(opened.database, null), 7)).rejects.toMatchObject({
      code: 'core.context_does_not_write',
    });
  });

  test('that were ended elsewhere while a request ran are not brought back by it', async () => {
    const sessions = store();
    const visitor = new Visitor();
    await visitor.visit(sessions, (draft) => draft.signIn(7));
    const late = (await sessions.load(visitor.cookies)).draft();
    late.set('cart', 1);
    const renewing = (await sessions.load(visitor.cookies)).draft();
    renewing.renew();
    await opened.database.write((transaction) => endSessions(contextOf(opened.database, transaction), 7));
    expect(await renewing.commit(caller)).toEqual([expect.stringMatching(/^session_id=; Max-Age=0/)]);
    await late.commit(caller);
    const rows = await sql(opened.database.reader, 'select user_id from core_session');
    expect(rows.map((row) => row.user_id)).toEqual([null]);
  });

  test('begun in another process hold here, and end here as soon as this process hears that they were ended there', async () => {
    const script = new URL('./other-node.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, opened.url, 'a secret of sixteen or more'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    const ask = (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      return next();
    };
    const sessions = store();
    try {
      expect(await next()).toBe('ready');
      const { changes } = opened.database;
      for (let round = 0; round < 10; round += 1) {
        const cookies = { session_id: await ask('sign-in 7') };
        expect((await sessions.load(cookies)).userId).toBe(7);
        const before = changes.version('core_session');
        await ask('end 7');
        await until(() => changes.version('core_session') > before);
        expect((await sessions.load(cookies)).exists).toBe(false);
        expect(await ask(`load ${cookies.session_id}`)).toBe('false');
      }
    } finally {
      child.stdin.end();
      await new Promise((resolve) => child.once('exit', resolve));
    }
  });
});
