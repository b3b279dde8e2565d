import { cacheSizes, namedCache, roughBytes } from '../named-cache.ts';

test('caches of one name are added up, measured or of alike entries', () => {
  const counted = namedCache<string, string>('test', { max: 3, entryBytes: 100 });
  const measured = namedCache<string, string>('test', { maxSize: 50, sizeCalculation: (text) => text.length });
  for (const key of ['a', 'b', 'c', 'd']) counted.set(key, key);
  measured.set('a', 'x'.repeat(20)).set('b', 'x'.repeat(40));
  expect(cacheSizes().get('test')).toEqual({ entries: 4, bytes: 340, limit: 350 });
});

test('what a value holds is counted, each object once', () => {
  const shared = { text: 'x'.repeat(1000) };
  const sharedBytes = roughBytes(shared);
  expect(sharedBytes).toBeGreaterThan(2000);
  expect(roughBytes([shared, shared])).toBeLessThan(sharedBytes + 100);
  expect(roughBytes(new Map([['key', shared]]))).toBeGreaterThan(sharedBytes);
  expect(roughBytes(new Set([shared]))).toBeGreaterThan(sharedBytes);
  expect(roughBytes(Buffer.alloc(5000))).toBeGreaterThanOrEqual(5000);
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(roughBytes(circle)).toBeLessThan(100);
});
