import { setTimeout as sleep } from 'node:timers/promises';
import { Gate } from '../gate.ts';

describe('The gate', () => {
  test('lets a burst in, refuses at its bounds, and forgets those who wait for their visitor', async () => {
    const gate = new Gate();
    const stays = Array.from({ length: 256 }, () => gate.enter('read'));
    expect(() => gate.enter('read')).toThrow('very busy');
    expect(gate.stats.shed).toBe(1);
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const outside = stays[0]?.outside(() => promise);
    gate.enter('read').leave();
    done();
    await outside;
    expect(() => gate.enter('read')).toThrow('very busy');
    gate.enter('write').leave();
    for (const stay of stays) stay.leave();
    for (const stay of stays) stay.leave();
    expect(gate.stats.inside).toBe(0);
  });

  test('judges a POST that changes nothing as a page', async () => {
    const gate = new Gate();
    const stays = Array.from({ length: 256 }, () => gate.enter('read'));
    const order = gate.enter('write');
    expect(() => order.asRead()).toThrow('very busy');
    for (const stay of stays) stay.leave();
    order.asRead();
    expect(gate.stats.inside).toBe(1);
    order.leave();
    expect(gate.stats.inside).toBe(0);
  });
});

test('who keeps the process busy is named', async () => {
  const told: [number, readonly string[]][] = [];
  const gate = new Gate((ms, routes) => told.push([ms, routes]));
  gate.start();
  const [one, other] = [gate.enter('read'), gate.enter('read')];
  one.called('addon.blocks');
  other.called('addon.waits');
  await sleep(150);
  gate.enter('read').leave();
  for (const end = performance.now() + 1_300; performance.now() < end; );
  one.leave();
  await sleep(150);
  gate.stop();
  expect(told).toEqual([[expect.any(Number), ['addon.waits', 'addon.blocks']]]);
});
