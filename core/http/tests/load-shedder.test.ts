import { setTimeout as sleep } from 'node:timers/promises';
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

test('who keeps the process busy is named', async () => {
  const told: [number, readonly string[]][] = [];
  const loadShedder = new LoadShedder((ms, routes) => told.push([ms, routes]));
  loadShedder.start();
  const [one, other] = [loadShedder.enter('read'), loadShedder.enter('read')];
  one.called('addon.blocks');
  other.called('addon.waits');
  await sleep(150);
  loadShedder.enter('read').leave();
  for (const end = performance.now() + 1_300; performance.now() < end; );
  one.leave();
  await sleep(150);
  loadShedder.stop();
  expect(told).toEqual([[expect.any(Number), ['addon.waits', 'addon.blocks']]]);
});
