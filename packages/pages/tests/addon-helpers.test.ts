import { join } from 'node:path';
import { createTestApp } from 'pergola/testing';
import { needsOf } from '../../../tools/templates/needs.ts';
import { TemplateSources } from '../../../tools/templates/sources.ts';
import { collectMessages } from '../../../tools/texts/extract.ts';
import { coreHelpers } from '../helpers/index.ts';
import { helper } from '../helpers/tools.ts';
import { addon, build, line } from './support.ts';

const fixture = join(import.meta.dirname, '../../../tools/testing/fixtures/fx_open');

describe('A helper of an addon', () => {
  test('is called by its name, also inside other calls and as a block; without a value, the name is a path', async () => {
    const app = await createTestApp({ addons: ['fx_open'] });
    const { text } = await app.get('/fx/open/rating');
    await app.close();
    expect(text.replace(/\s*\n\s*/g, '')).toContain('<p title="★★★★☆">★★★★</p><p>★★★★☆of five</p><p>best of 7</p>');
  });

  test('follows its rule', () => {
    const stars = helper('t.stars', { params: [1, 1], options: ['max'], markup: true, make: () => String });
    const problems = (source: string): string[] =>
      build([addon('t', { 't.page': source })], {
        helpers: new Map([...coreHelpers, ['t.stars', stars]]),
      }).problems.map(line);
    expect(problems('<p>{{t.stars 3 max=5}} {{t.stars}}</p>')).toEqual([]);
    expect(problems('<p>{{t.stars 3 4}}</p>')).toEqual([expect.stringContaining('takes 1 value(s) and is given 2')]);
    expect(problems('<p>{{t.stars 3 mix=5}}</p>')).toEqual([expect.stringContaining('has no option "mix"')]);
    expect(problems('<p>{{t.star 3}}</p>')).toEqual([expect.stringContaining('Did you mean “t.stars”')]);
    expect(problems('<p title="{{t.stars 3}}"></p>')).toEqual([expect.stringContaining('makes markup')]);
  });

  test('is known to the check of template values, and its translated texts to the catalogue', async () => {
    const sources = await TemplateSources.read([fixture]);
    expect([...needsOf(sources, 'fx_open.rating').names.keys()].sort()).toEqual(['rating', 'visits']);
    expect((await collectMessages({ addonDir: fixture })).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['of five', 'best of {stars}']),
    );
  });
});
