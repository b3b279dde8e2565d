import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { install } from '@sinonjs/fake-timers';
import { Unavailable } from '../../../core/base/errors.ts';
import { Heartbeat } from '../heartbeat.ts';
import { IdentityMap } from '../identity-map.ts';
import { Pool } from '../pool.ts';
import { inspect } from '../statement.ts';
import { sleep, until } from './support.ts';

test('Rows that were read before a write are not kept after it', () => {
  const known = new IdentityMap('sqlite');
  const { epoch } = known;
  known.keep(epoch, 'seat', ['name'], [{ id: 1, name: 'a' }]);
  expect(known.rows('seat', ['name'], [1])).toEqual([{ id: 1, name: 'a' }]);
  known.written(undefined);
  known.keep(epoch, 'seat', ['name'], [{ id: 1, name: 'a' }]);
  expect(known.rows('seat', ['name'], [1])).toBeNull();
});

describe('A pool', () => {
  const open: number[] = [];
  let made = 0;
  let failing = false;
  const broken = new Set<number>();
  const create = (size: number, deadlineMs = 1_000) =>
    new Pool<number>({
      size,
      deadlineMs,
      resource: 'thing',
      async open() {
        await sleep(2);
        if (failing) throw new Error('cannot open');
        made += 1;
        open.push(made);
        return made;
      },
      async close(item) {
        await sleep(1);
        open.splice(open.indexOf(item), 1);
      },
      usable: (item) => !broken.has(item),
    });
  beforeEach(() => {
    open.length = 0;
    broken.clear();
    made = 0;
    failing = false;
  });

  test('opens no more than it may, and lets the others wait their turn', async () => {
    const pool = create(2);
    const order: number[] = [];
    const using = Array.from({ length: 6 }, (_, i) =>
      pool.use(async () => {
        order.push(i);
        await sleep(3);
      }),
    );
    expect(pool.waiting).toBe(6);
    await Promise.all(using);
    expect([made, pool.size, pool.waiting]).toEqual([2, 2, 0]);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    await pool.close();
    expect(open).toEqual([]);
  });

  test('closes what nobody needed for a while, but for one', async () => {
    const clock = install();
    try {
      const pool = create(4);
      const together = async (number: number) => {
        const done = Promise.all(Array.from({ length: number }, () => pool.use(() => sleep(5))));
        await clock.tickAsync(50);
        await done;
      };
      await together(4);
      await clock.tickAsync(21_000);
      expect(open).toHaveLength(4);
      await together(2);
      await clock.tickAsync(20_000);
      expect(open).toHaveLength(2);
      await clock.tickAsync(60_000);
      expect([open.length, pool.size]).toEqual([1, 1]);
      await together(3);
      expect(pool.size).toBe(3);
    } finally {
      clock.uninstall();
    }
  });

  test('says that it is busy when none becomes free in time', async () => {
    const pool = create(1, 20);
    const item = await pool.acquire();
    await expect(pool.acquire()).rejects.toThrow(Unavailable);
    pool.release(item);
    expect(await pool.acquire(5)).toBe(item);
    pool.release(item);
    await pool.close();
  });

  test('replaces what broke, in use or idle', async () => {
    const pool = create(1);
    await pool.use(async (item) => broken.add(item));
    expect(await pool.use(async (item) => item)).toBe(2);
    broken.add(2);
    pool.discard(2);
    expect(await pool.use(async (item) => item)).toBe(3);
    broken.add(3);
    expect(await pool.use(async (item) => item)).toBe(4);
    await pool.close();
    expect(open).toEqual([]);
  });

  test('hands the error of opening to whoever waited longest, and tries again for the next', async () => {
    const pool = create(1);
    failing = true;
    const first = pool.acquire();
    const second = pool.acquire();
    await expect(first).rejects.toThrow('cannot open');
    failing = false;
    expect(await second).toBe(1);
    pool.release(1);
    await pool.close();
  });

  test('closes when the last user has ended, and takes no new ones', async () => {
    const pool = create(2);
    const item = await pool.acquire();
    let closed = false;
    const closing = pool.close().then(() => {
      closed = true;
    });
    await expect(pool.acquire()).rejects.toMatchObject({ cause: { message: 'thing is closed' } });
    await sleep(5);
    expect(closed).toBe(false);
    pool.release(item);
    await closing;
    expect(open).toEqual([]);
  });
});

describe('A heartbeat', () => {
  function start(beat: () => Promise<void>) {
    const told: string[] = [];
    const heartbeat = new Heartbeat({
      beat,
      onAlive: () => told.push('alive'),
      onDead: (why) => told.push(`dead, ${String(why).replace(/\d+/g, 'some')}`),
      onFault: (why) => told.push(`fault, ${String(why).replace(/\d+/g, 'some')}`),
      intervalMs: 5,
      graceMs: 20,
    });
    return { heartbeat, told };
  }

  test('notices an answer that does not come, and one that comes again', async () => {
    let answers = true;
    const unanswered: (() => void)[] = [];
    const { heartbeat, told } = start(
      () =>
        new Promise((resolve) => {
          if (answers) resolve();
          else unanswered.push(resolve);
        }),
    );
    await sleep(30);
    expect([heartbeat.alive, told]).toEqual([true, []]);
    answers = false;
    expect(await until(() => !heartbeat.alive)).toBeGreaterThan(15);
    // What was asked before it was found dead proves nothing; the next answer does.
    for (const answer of unanswered.splice(0)) answer();
    await sleep(15);
    expect(heartbeat.alive).toBe(false);
    answers = true;
    for (const answer of unanswered.splice(0)) answer();
    await until(() => heartbeat.alive);
    heartbeat.stop();
    expect(told).toEqual(['dead, Error: no answer for some ms', 'alive']);
  });

  test('does not take a busy process for a dead database', async () => {
    const network = createServer();
    network.listen(0, '127.0.0.1');
    await once(network, 'listening');
    const place = network.address();
    const there = connect(typeof place === 'object' ? (place?.port ?? 0) : 0, '127.0.0.1');
    const [[here]] = await Promise.all([once(network, 'connection'), once(there, 'connect')]);
    let answered = 0;
    const { heartbeat, told } = start(async () => {
      const answer = once(there, 'data');
      setImmediate(() => {
        // While this process is busy the answer arrives; before it gets to read it, the next tick finds it late.
        const end = performance.now() + 40;
        while (performance.now() < end);
        here.write('x');
      });
      await answer;
      answered += 1;
    });
    await until(() => answered > 4);
    heartbeat.stop();
    here.destroy();
    network.close();
    // On a machine that is busy itself the process may stand still for longer, which is another matter.
    expect(told.join()).not.toContain('no answer');
  });

  test('calls only silence that no busy machine explains a fault, and a refusal at once', async () => {
    const silent = start(() => new Promise(() => {}));
    await until(() => silent.told.length > 0);
    expect(silent.told).toEqual(['dead, Error: no answer for some ms']);
    await until(() => silent.told.length > 1);
    expect(silent.told.slice(1)).toEqual(['fault, Error: no answer in some turns']);
    silent.heartbeat.stop();
    const refused = start(() => Promise.reject(new Error('gone')));
    await until(() => refused.told.length > 1);
    await sleep(15);
    expect(refused.told).toEqual(['dead, Error: gone', 'fault, Error: gone']);
    refused.heartbeat.stop();
  });

  test('does not trust itself after the process stood still', async () => {
    let answers = true;
    const { heartbeat, told } = start(() => (answers ? Promise.resolve() : new Promise(() => {})));
    await sleep(10);
    answers = false;
    const end = performance.now() + 1_050;
    while (performance.now() < end);
    await sleep(0);
    heartbeat.stop();
    expect(told).toEqual(['dead, Error: this process stood still for some ms']);
  });
});

describe('A statement', () => {
  test.each([
    ['insert into "a" ("b") values (?)', { verb: 'insert', table: 'a', answersRows: false, writes: true }],
    [
      'insert into `a` (`b`) values (?) returning `id`',
      { verb: 'insert', table: 'a', answersRows: true, writes: true },
    ],
    ['  UPDATE "public"."a" SET x = 1', { verb: 'update', table: 'a', answersRows: false, writes: true }],
    ['delete from only a where x', { verb: 'delete', table: 'a', answersRows: false, writes: true }],
    ['insert or ignore into a values (1)', { verb: 'insert', table: 'a', answersRows: false, writes: true }],
    ['select 1', { verb: 'select', table: '', answersRows: true, writes: false }],
    ['with x as (select 1) select * from x', { verb: 'select', table: '', answersRows: true, writes: false }],
    ['with x as (select 1) delete from a', { verb: 'select', table: '', answersRows: true, writes: true }],
    ['begin immediate', { verb: 'control', table: '', answersRows: false, writes: false }],
    ['create table a (b)', { verb: 'other', table: '', answersRows: false, writes: false }],
  ])('%s is known for what it is', (text, facts) => {
    expect(inspect(text)).toEqual(facts);
  });
});
