import fc from 'fast-check';
import { VaryIndex } from '../vary-index.ts';

const varyOn = { headers: ['accept-language'], cookies: ['website_lang', 'pricelist'] };
const origin = 'http://localhost:8069';

describe('The memory of addresses', () => {
  test('tells requests apart by everything that decided, however odd the values are', () => {
    const value = fc.option(fc.oneof(fc.string(), fc.constantFrom('-', '1:a', '0:', '\u0000', '1:a-')), {
      nil: undefined,
    });
    const request = fc.tuple(value, value, value);
    fc.assert(
      fc.property(request, request, (first, second) => {
        const memory = new VaryIndex();
        const parts = ([language, lang, pricelist]: typeof first) => ({
          headers: { 'accept-language': language },
          cookies: { website_lang: lang, pricelist },
        });
        const one = parts(first);
        const other = parts(second);
        memory.remember(origin, '/shop', one, varyOn, 'meaning');
        const alike = isSame(first, second);
        expect(memory.recall(origin, '/shop', one.headers, one.cookies)).toBe('meaning');
        expect(memory.recall(origin, '/shop', other.headers, other.cookies)).toBe(alike ? 'meaning' : undefined);
        expect(memory.recall('http://elsewhere', '/shop', one.headers, one.cookies)).toBeUndefined();
        expect(memory.recall(origin, '/shop/', one.headers, one.cookies)).toBeUndefined();
      }),
    );
  });

  test('knows requests by different headers and cookies side by side', () => {
    const memory = new VaryIndex();
    const asRobot = { headers: ['user-agent'], cookies: [] };
    memory.remember(origin, '/', { headers: { 'user-agent': 'robot' }, cookies: {} }, asRobot, 'robot');
    memory.remember(origin, '/', { headers: { 'accept-language': 'fr' }, cookies: {} }, varyOn, 'french');
    expect(memory.recall(origin, '/', { 'user-agent': 'robot' }, {})).toBe('robot');
    expect(memory.recall(origin, '/', { 'user-agent': 'x', 'accept-language': 'fr' }, {})).toBe('french');
    expect(memory.recall(origin, '/', { 'user-agent': 'x' }, {})).toBeUndefined();
  });

  test('stays small whatever is asked', () => {
    const memory = new VaryIndex();
    const count = (): number => {
      let known = 0;
      for (let number = 0; number < 60_000; number += 1) {
        if (memory.recall(origin, `/p/${number % 30}`, { 'accept-language': `${number}` }, {}) !== undefined)
          known += 1;
      }
      return known;
    };
    for (let number = 0; number < 60_000; number += 1) {
      memory.remember(
        origin,
        `/p/${number % 30}`,
        { headers: { 'accept-language': `${number}` }, cookies: {} },
        varyOn,
        'x',
      );
    }
    expect(count()).toBeGreaterThan(1_000);
    expect(count()).toBeLessThanOrEqual(20_000);
    memory.remember(origin, `/${'x'.repeat(1_001)}`, { headers: {}, cookies: {} }, varyOn, 'x');
    expect(memory.recall(origin, `/${'x'.repeat(1_001)}`, {}, {})).toBeUndefined();
    memory.forget();
    expect(count()).toBe(0);
  });
});

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((value, at) => value === b[at]);
}
