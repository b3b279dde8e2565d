import { createLog } from '../../base/log.ts';
import { createGenerationHolder } from '../generation-holder.ts';

const silent = createLog('silent');

function holder() {
  const disposed: number[] = [];
  return {
    disposed,
    generations: createGenerationHolder<{ number: number }>({
      dispose: async ({ number }) => {
        disposed.push(number);
      },
      log: silent,
    }),
  };
}

describe('Generations', () => {
  test('refuse requests while there is none', () => {
    const { generations } = holder();
    expect(generations.ready).toBe(false);
    expect(() => generations.acquire()).toThrow(/isn’t ready/);
  });

  test('let requests end on the one they began on, and end when the last of them does', async () => {
    const { generations, disposed } = holder();
    generations.swap({ number: 1 });
    const [first, second] = [generations.acquire(), generations.acquire()];
    generations.swap({ number: 2 });
    expect(generations.acquire().generation.number).toBe(2);
    expect(first.generation.number).toBe(1);
    first.release();
    first.release();
    await new Promise(setImmediate);
    expect({ disposed, oldest: generations.oldest }).toEqual({ disposed: [], oldest: 1 });
    second.release();
    await new Promise(setImmediate);
    expect({ disposed, oldest: generations.oldest }).toEqual({ disposed: [1], oldest: 2 });
  });

  test('end even when disposing fails, and tell who listens', async () => {
    const seen: string[] = [];
    const generations = createGenerationHolder<{ number: number }>({
      dispose: () => Promise.reject(new Error('cannot')),
      log: { error: () => seen.push('logged') },
    });
    generations.swap({ number: 1 });
    const stop = generations.subscribe(() => seen.push('told'));
    generations.swap({ number: 2 });
    await new Promise(setImmediate);
    stop();
    generations.swap({ number: 3 });
    expect(seen).toEqual(['told', 'logged', 'told']);
  });

  test('all end when the application closes, after the last stay', async () => {
    const { generations, disposed } = holder();
    generations.swap({ number: 1 });
    const stay = generations.acquire();
    const closing = generations.close();
    expect(() => generations.acquire()).toThrow(/is stopping/);
    expect(disposed).toEqual([]);
    stay.release();
    await closing;
    expect(disposed).toEqual([1]);
  });
});
