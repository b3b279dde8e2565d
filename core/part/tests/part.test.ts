import { Writable } from 'node:stream';
import { pino } from 'pino';
import { loadConfig } from '../../base/config.ts';
import type { Ctx } from '../../context/context.ts';
import type { Generation } from '../../kernel/generation.ts';
import { createGenerationHolder } from '../../kernel/generation-holder.ts';
import { value } from '../../kernel/key.ts';
import { Parts } from '../host.ts';
import { definePart, type Part, type Phases } from '../part.ts';

const config = loadConfig({ NODE_ENV: 'test', SESSION_SECRET: 'a secret of sixteen letters' }, []);

/** Values of the core: no addons and no generation yet. */
const core = () => ({
  addons: { addons: [], loaded: [], problems: [], since: 0, load: async () => {}, loadAll: async () => {} },
  holder: createGenerationHolder<Generation>({ log: { error() {} }, dispose: async () => {} }),
});

function partsOf(...list: Part[]): { parts: Parts; lines: string[] } {
  const lines: string[] = [];
  const log = pino(
    {},
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  return { parts: new Parts(config, log, list), lines };
}

describe('Parts', () => {
  const calls: string[] = [];
  const noting = (name: string): Phases => ({
    start: async () => void calls.push(`start ${name}`),
    ready: () => void calls.push(`ready ${name}`),
    drain: async () => calls.push(`drain ${name}`),
    stop: () => void calls.push(`stop ${name}`),
    close: () => void calls.push(`close ${name}`),
  });
  beforeEach(() => {
    calls.length = 0;
  });

  it('begin each after those that it needs, and end the other way round', async () => {
    const lamp = definePart({ name: 'lamp', phases: noting('lamp') });
    const room = definePart({ name: 'room', needs: [lamp], phases: noting('room') });
    const { parts } = partsOf(room, lamp);
    await parts.provide(core());
    await parts.begin('start');
    await parts.begin('ready');
    expect(await parts.drain()).toBe(300);
    await parts.end('stop');
    await parts.end('close');
    expect(calls).toEqual(
      ['start lamp', 'start room', 'ready lamp', 'ready room', 'drain room', 'drain lamp'].concat([
        'stop room',
        'stop lamp',
        'close room',
        'close lamp',
      ]),
    );
  });

  it('use values of those that they need', async () => {
    const light = value<string>('light');
    const seen: string[] = [];
    const lamp = definePart({ name: 'lamp', provide: ({ set }) => set(light, 'on') });
    const room = definePart({ name: 'room', needs: [lamp], provide: ({ get }) => void seen.push(get(light)) });
    await partsOf(room, lamp).parts.provide(core());
    expect(seen).toEqual(['on']);
    await expect(partsOf(room, definePart({ name: 'lamp' })).parts.provide(core())).rejects.toThrow(
      '"light" isn\'t set: no part of this application provides it, or not yet.',
    );
    const second = definePart({ name: 'second', provide: ({ set }) => set(light, 'off') });
    await expect(partsOf(lamp, second).parts.provide(core())).rejects.toThrow('Two parts provide "light".');
  });

  it('store data with each generation, which follows from that of the previous one', async () => {
    const lamp = definePart({
      name: 'lamp',
      record: (_host, { previous, addons }) => [...((previous as string[] | undefined) ?? []), `on ${addons.length}`],
    });
    const { parts } = partsOf(lamp, definePart({ name: 'room' }));
    const data = await parts.recordData(null, []);
    expect(data).toEqual({ lamp: ['on 0'] });
    const next = await parts.recordData({ number: 1, addons: {}, data }, []);
    expect(next).toEqual({ lamp: ['on 0', 'on 0'] });
  });

  it('are refused with every problem at once', () => {
    const member = { jobs: (ctx: Ctx) => ctx.jobs };
    const a = definePart({ name: 'a', context: member });
    const b = definePart({ name: 'b', context: member, needs: [definePart({ name: 'absent' })] });
    const circle: Part = { ...a, name: 'c', context: {}, needs: [{ ...a, name: 'd' }] };
    const back: Part = { ...a, name: 'd', context: {}, needs: [circle] };
    let message = '';
    try {
      partsOf(a, b, definePart({ name: 'b' }), circle, back);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('Two parts are called "b".');
    expect(message).toContain('Part "b" needs part "absent", which is not listed.');
    expect(message).toContain('Parts "a" and "b" both add ctx.jobs.');
    expect(message).toContain('Parts need each other: c → d → c.');
  });

  it('end although one of them fails, and the log names it', async () => {
    const lamp = definePart({ name: 'lamp', phases: noting('lamp') });
    const broken = definePart({
      name: 'broken',
      needs: [lamp],
      phases: {
        stop() {
          throw new Error('no switch');
        },
      },
    });
    const { parts, lines } = partsOf(lamp, broken);
    await parts.provide(core());
    await parts.end('stop');
    expect(calls).toEqual(['stop lamp']);
    expect(lines.join()).toMatch(/"part":"broken","phase":"stop".*A part did not end cleanly/);
  });

  it('end nothing that was never provided', async () => {
    const lamp = definePart({ name: 'lamp', phases: noting('lamp') });
    const broken = definePart({
      name: 'broken',
      needs: [lamp],
      phases: noting('broken'),
      provide() {
        throw new Error('no light');
      },
    });
    const { parts, lines } = partsOf(lamp, broken);
    await expect(parts.provide(core())).rejects.toThrow('no light');
    await parts.end('close');
    expect([calls, lines]).toEqual([['close lamp'], []]);
  });
});
