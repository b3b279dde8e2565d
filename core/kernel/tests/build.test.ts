import { z } from 'zod';
import type { Addon, AddonDefinition } from '../addon.ts';
import { type BuildOptions, buildPoints } from '../build.ts';
import { Generation } from '../generation.ts';
import { value } from '../key.ts';
import { manifestCheck } from '../manifest.ts';
import { contributionPoint, contributionsTo, listPoint } from '../point.ts';
import { sentence } from '../sentence.ts';
import { service } from '../service.ts';

declare module 'pergola/contributions' {
  interface Contributions {
    fx_colours: readonly string[];
    fx_mixtures: readonly (readonly [string, string])[];
    fx_head: string;
  }
}

const greeting = value<string>('greeting');
const colours = listPoint('fx_colours', {
  shape: z.array(z.string()),
  names: { what: 'colour', of: (list) => list },
});
const mixtures = contributionPoint('fx_mixtures', {
  needs: { colours, greeting },
  async build({ contributions, needs, pause, report }) {
    for (const { addon, value: pairs } of contributions) {
      await pause();
      for (const colour of pairs.flat().filter((colour) => !needs.colours.includes(colour)))
        report({ addon: addon.name, message: `there is no colour ${colour}.` });
    }
    return `${needs.greeting}: ${contributions.flatMap(({ value: pairs }) => pairs).length}`;
  },
  changes: (_, contributions, comes) =>
    contributions.map(({ addon, value: pairs }) => ({
      topic: 'mixture',
      addon: addon.name,
      sentence: sentence(comes ? 'Mixes {count}.' : 'No longer mixes {count}.', { count: pairs.length }),
      data: { count: pairs.length },
    })),
});
const head = listPoint('fx_head', { single: true });
// In reverse order of their needs: the list order doesn't matter.
const points = [mixtures, colours, head];

const addon = (name: string, more: Partial<AddonDefinition> = {}): Addon => ({
  name,
  definition: { name, title: name, summary: name, version: '1.0.0', ...more },
  folder: `/${name}`,
  outside: false,
  files: {},
});
const build = (addons: readonly Addon[], more: Partial<BuildOptions> = {}) =>
  buildPoints({
    addons,
    points,
    values: { greeting: 'hello' },
    requestValues: ['ctx'],
    pause: async () => {},
    ...more,
  });
const messages = async (...addons: readonly Addon[]) =>
  (await build(addons)).problems.map(({ addon: name, message }) => `${name}: ${message}`);

describe('Contribution points', () => {
  it('are built from what the addons registered, each after those it needs', async () => {
    class Painter extends service('paint.painter', { mixtures, colours }) {}
    const addons = [
      addon('paint', { fx_colours: ['paint.red', 'paint.blue'], services: [Painter] }),
      addon('violet', { fx_mixtures: [['paint.red', 'paint.blue']] }),
    ];
    const { container, problems } = await build(addons);
    expect(problems).toEqual([]);
    expect(container.get(mixtures)).toBe('hello: 1');
    expect(container.get(Painter).colours).toEqual(['paint.red', 'paint.blue']);
    const generation = new Generation({
      record: { number: 1, addons: {}, data: {} },
      addons,
      points,
      container,
    });
    expect(generation.changes(addons, true)).toEqual([
      {
        topic: 'mixture',
        addon: 'violet',
        sentence: { text: 'Mixes {count}.', params: { count: 1 } },
        data: { count: 1 },
      },
    ]);
    expect(contributionsTo(colours, addons)).toHaveLength(1);
  });

  it('tell everything that is wrong, of every addon', async () => {
    const problems = await messages(
      addon('paint', { fx_colours: ['paint.red', 'paint.red'], fx_head: 'me' }),
      addon('violet', { fx_mixtures: [['paint.red', 'paint.green']], fx_colours: ['paint.red'], fx_head: 'no, me' }),
    );
    expect(problems).toEqual([
      'paint: colour "paint.red" is declared twice in this addon.',
      'violet: colour "paint.red" is declared also by addon paint.',
      'violet: there is no colour paint.green.',
      'violet: provides `fx_head`, which addon paint already provides.',
    ]);
  });

  it('leave out what follows from a problem, of the same addon and of those that depend on it', async () => {
    const shelf = contributionPoint('fx_colours', {
      build({ report }) {
        report({ addon: 'paint', message: 'colour “red” is brought by two addons.', lost: ['red'] });
      },
    });
    const rack = contributionPoint('fx_head', {
      needs: { shelf },
      build({ contributions, report }) {
        for (const {
          addon: { name },
          value: message,
        } of contributions)
          report({ addon: name, message });
      },
    });
    const addons = [
      addon('paint', { fx_head: '“red.dark” leads nowhere.' }),
      addon('wall', { depends: ['paint'], fx_head: 'there is no colour "red".' }),
      addon('door', { depends: ['paint'], fx_head: 'there is no colour "redd".' }),
      addon('lamp', { fx_head: 'there is no colour "red".' }),
    ];
    const { problems } = await build(addons, { points: [rack, shelf] });
    expect(problems).toEqual([
      { addon: 'paint', message: 'colour “red” is brought by two addons.' },
      { addon: 'door', message: 'there is no colour "redd".' },
      { addon: 'lamp', message: 'there is no colour "red".' },
    ]);
  });

  it('of an addon are for those that depend on it', async () => {
    const owner = addon('paint', { points: [colours] });
    const stranger = addon('violet', { fx_colours: ['violet.blue'] });
    expect(await messages(owner, stranger)).toEqual([
      'violet: contributes to `fx_colours`, and does not depend on the addon "paint" that reads it.',
    ]);
    expect(await messages(owner, addon('violet', { fx_colours: ['violet.blue'], depends: ['paint'] }))).toEqual([]);
  });

  it('have one name each, and do not need each other in a circle', async () => {
    await expect(build([], { values: { greeting: '', fx_head: 1 } })).rejects.toThrow(
      /two things are called "fx_head"/i,
    );
    const needsB: Record<string, typeof greeting> = {};
    const a = contributionPoint('a', { needs: needsB, build: () => 'a' });
    const b = contributionPoint('b', { needs: { a }, build: () => 'b' });
    Object.assign(needsB, { b });
    await expect(build([], { points: [a, b] })).rejects.toThrow('a → b → a');
  });
});

describe('A definition', () => {
  const check = (exported: object) =>
    manifestCheck(points)({ folder: 'paint', path: import.meta.dirname, file: 'addon.ts', exported }).problems.map(
      ({ message, remedy }) => `${message} ${remedy ?? ''}`.trim(),
    );
  const manifest = { name: 'paint', title: 'Paint', summary: 'Colours', version: '1.0.0' };

  it('has what addons say of themselves, and members of contribution points', () => {
    expect(check({ ...manifest, fx_colours: ['paint.red'] })).toEqual([]);
    expect(check({ ...manifest, fx_colurs: [] })).toEqual([
      '`fx_colurs` is nothing an addon has. Did you mean “fx_colours”?',
    ]);
    expect(check({ ...manifest, fx_colours: [3] })[0]).toMatch(/^`fx_colours\.0` /);
  });

  it('gives names that begin with the addon’s own', () => {
    class Foreign extends service('other.painter') {}
    expect(check({ ...manifest, fx_colours: ['red'], services: [Foreign] })).toEqual([
      'service "other.painter" does not carry the addon\'s name. Call it "paint.painter".',
      'colour "red" does not carry the addon\'s name. Call it "paint.red".',
    ]);
  });
});
