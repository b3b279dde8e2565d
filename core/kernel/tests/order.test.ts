import fc from 'fast-check';
import { dependants, dependencyClosure, order } from '../order.ts';

const addon = (name: string, ...depends: string[]) => ({ name, definition: { depends } });
const names = (list: readonly { name: string }[]): string => list.map(({ name }) => name).join(' ');

describe('The order of addons', () => {
  test('puts each after what it needs, alphabetically where it may choose', () => {
    const { ordered, problems } = order([
      addon('forum', 'website'),
      addon('web', 'base'),
      addon('base'),
      addon('website', 'web'),
      addon('mail', 'web'),
    ]);
    expect(problems).toEqual([]);
    expect(names(ordered)).toBe('base web mail website forum');
  });

  test('does not change when an addon that nobody needs leaves', () => {
    const graph = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(graph, fc.nat(), (edges, pick) => {
        const all = edges.map((dependencies, index) =>
          addon(
            `a${(index * 7) % 10}`,
            ...dependencies.filter((number) => number < index).map((number) => `a${(number * 7) % 10}`),
          ),
        );
        const before = order(all);
        expect(before.problems).toEqual([]);
        const leaving = all[pick % all.length]?.name ?? '';
        const removed = new Set([leaving, ...dependants([leaving], all)]);
        const after = order(all.filter(({ name }) => !removed.has(name)));
        expect(names(after.ordered)).toBe(names(before.ordered.filter(({ name }) => !removed.has(name))));
      }),
      { numRuns: 300 },
    );
  });

  test('tells a circle as a path to each of its members, and leaves out who needs them', () => {
    const { ordered, problems } = order([
      addon('a', 'b'),
      addon('b', 'c'),
      addon('c', 'a', 'free'),
      addon('free'),
      addon('late', 'c'),
    ]);
    expect(names(ordered)).toBe('free');
    expect(problems.map((problem) => problem.addon)).toEqual(['a', 'b', 'c']);
    expect(problems[0]?.message).toBe('addons depend on each other in a circle: a → b → c → a.');
  });

  test('names a dependency that does not exist, with the one that was meant', () => {
    const { problems } = order([addon('website'), addon('forum', 'webiste')]);
    expect(problems).toMatchObject([
      { addon: 'forum', message: expect.stringContaining('"webiste"'), remedy: 'Did you mean “website”?' },
    ]);
  });

  test('knows a dependency that exists but is not enabled', () => {
    const { problems } = order([addon('forum', 'website')], ['website', 'forum']);
    expect(problems).toMatchObject([{ addon: 'forum', remedy: 'Enable website as well.' }]);
  });

  test('gives all that an addon needs, and all that need it', () => {
    const all = [addon('base'), addon('web', 'base'), addon('sale', 'web'), addon('forum', 'web')];
    expect([...dependencyClosure('sale', new Map(all.map((addon) => [addon.name, addon])))].sort()).toEqual([
      'base',
      'web',
    ]);
    expect([...dependants(['web'], all)].sort()).toEqual(['forum', 'sale']);
  });
});
