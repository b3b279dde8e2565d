import { setTimeout } from 'node:timers/promises';
import { createTestApp, eachDatabase, refusal, type TestApp } from 'pergola/testing';
import { Currency } from '../models/currency.ts';
import { Language } from '../models/language.ts';
import { currencyFormats } from '../rendering.ts';

eachDatabase('languages', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['base'], database });
  });
  afterAll(() => app.close());

  it('write amounts as their currency says, also one that is not used any more', async () => {
    const [rule] = currencyFormats;
    const known = await app.write(async (ctx) => {
      const currencies = ctx.model(Currency);
      await currencies.write(await currencies.search([['name', '=', 'JPY']]), { active: false });
      return rule?.prepare?.(ctx);
    });
    expect(rule?.currency?.(known as never, 'EUR')).toMatchObject({ code: 'EUR', digits: 2, symbol: '€' });
    expect(rule?.currency?.(known as never, 'JPY')).toMatchObject({ code: 'JPY', digits: 0 });
  });

  it('are switched off and on, but never the last one', async () => {
    const [fr, en] = await app.read(async (ctx) => [await ctx.ref('base.lang_fr'), await ctx.ref('base.lang_en')]);
    const change = (work: (languages: Language) => Promise<unknown>) => app.write((ctx) => work(ctx.model(Language)));
    await change((languages) => languages.switch_on([fr, en]));
    await change((languages) => languages.switch_off([en]));
    expect(await refusal(change((languages) => languages.switch_off([fr])))).toMatchObject({
      code: 'base.last_language',
    });
    expect(await refusal(change((languages) => languages.write([fr, en], { active: false })))).toMatchObject({
      code: 'base.last_language',
    });
    expect(await refusal(change((languages) => languages.unlink([fr])))).toMatchObject({ code: 'base.last_language' });
    await change((languages) => languages.switch_on([en]));
    await change((languages) => languages.switch_off([fr]));
    expect(await app.read((ctx) => ctx.model(Language).search([]))).toEqual([en]);
  });

  it('two people who each switch off one of the last two do not both succeed', async () => {
    const second = await app.secondNode();
    const both = await app.write(async (ctx) => {
      const ids = [await ctx.ref('base.lang_fr'), await ctx.ref('base.lang_en')];
      await ctx.model(Language).switch_on(ids);
      return ids;
    });
    const done = await Promise.allSettled(
      both.map((id, at) =>
        (at ? app : second).write(async (ctx) => {
          await ctx.model(Language).count([]);
          await setTimeout(100); // Both have looked by now, where two may write at a time.
          await ctx.model(Language).switch_off([id]);
        }),
      ),
    );
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await app.read((ctx) => ctx.model(Language).count([]))).toBe(1);
  });

  it.each([
    [{ code: 'français', url_code: 'xx' }, 'code'],
    [{ code: 'de_DE', url_code: 'shop/de' }, 'url_code'],
    [{ code: 'de_DE', url_code: 'shop' }, 'url_code'],
  ])('have codes that programs know: not %o', async (codes, field) => {
    const refused = await refusal(app.write((ctx) => ctx.model(Language).create({ name: 'X', ...codes })));
    expect(refused.code).toBe('base.bad_language_code');
    expect(Object.keys(refused.fields)).toEqual([field]);
  });
});
