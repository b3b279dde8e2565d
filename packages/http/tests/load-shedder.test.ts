import { jest } from '@jest/globals';
import { install } from '@sinonjs/fake-timers';
import { LoadShedder } from '../load-shedder.ts';

describe('The load shedder', () => {
  test('lets a burst in, refuses at its bounds, and forgets those who wait for their visitor', async () => {
    const loadShedder = new LoadShedder();
    const tickets = Array.from({ length: 256 }, () => loadShedder.enter('read'));
    expect(() => loadShedder.enter('read')).toThrow('very busy');
    expect(loadShedder.stats.shed).toBe(1);
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const outside = tickets[0]?.outside(() => promise);
    loadShedder.enter('read').leave();
    done();
    await outside;
    expect(() => loadShedder.enter('read')).toThrow('very busy');
    loadShedder.enter('write').leave();
    for (const ticket of tickets) ticket.leave();
    for (const ticket of tickets) ticket.leave();
    expect(loadShedder.stats.inside).toBe(0);
  });

  test('judges a POST that changes nothing as a page', async () => {
    const loadShedder = new LoadShedder();
    const tickets = Array.from({ length: 256 }, () => loadShedder.enter('read'));
    const order = loadShedder.enter('write');
    expect(() => order.asRead()).toThrow('very busy');
    for (const ticket of tickets) ticket.leave();
    order.asRead();
    expect(loadShedder.stats.inside).toBe(1);
    order.leave();
    expect(loadShedder.stats.inside).toBe(0);
  });
});

test('who keeps the process busy is named', () => {
  const clock = install({ toFake: ['setInterval', 'clearInterval'] });
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const told: [number, readonly string[]][] = [];
    const loadShedder = new LoadShedder((ms, routes) => told.push([ms, routes]));
    const tick = (ms: number): void => {
      now = ms;
      clock.tick(100);
    };
    loadShedder.start();
    const [one, other] = [loadShedder.enter('read'), loadShedder.enter('read')];
    one.called('addon.blocks');
    other.called('addon.waits');
    tick(100);
    tick(1_200);
    expect(told).toEqual([]);
    one.leave();
    tick(2_301);
    expect(told).toEqual([[1_001, ['addon.waits', 'addon.blocks']]]);
    tick(3_402);
    expect(told[1]).toEqual([1_001, ['addon.waits']]);
    loadShedder.stop();
    tick(9_000);
    expect(told).toHaveLength(2);
  } finally {
    jest.restoreAllMocks();
    clock.uninstall();
  }
});
