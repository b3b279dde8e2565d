import { createTestApp, eachDatabase } from 'pergola/testing';
import { Partner } from '../models/partner.ts';
import { Sequence } from '../models/sequence.ts';

eachDatabase('Contacts', (database) => {
  it.each([
    ['an address that is none', { email: 'a@@b' }, 'base.bad_email'],
    ['a time zone that is none', { tz: 'Mars/Olympus' }, 'base.bad_tz'],
  ])('refuse %s', async (_, values, code) => {
    await using app = await createTestApp({ addons: ['base'], database });
    const create = app.write((ctx) => ctx.model(Partner).create({ name: 'Ada', ...values }));
    await expect(create).rejects.toMatchObject({ code });
  });

  it('refuse a state of another country, and to belong to themselves', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const wrong = app.write(async (ctx) =>
      ctx.model(Partner).create({
        name: 'Ada',
        country_id: await ctx.ref('base.fr'),
        state_id: await ctx.ref('base.state_us_wa'),
      }),
    );
    await expect(wrong).rejects.toMatchObject({
      code: 'core.invalid_values',
      fields: { state_id: expect.any(String) },
    });
    const circle = app.write(async (ctx) => {
      const top = await ctx.model(Partner).create({ name: 'Top' });
      const below = await ctx.model(Partner).create({ name: 'Below', parent_id: top });
      await ctx.model(Partner).write(top, { parent_id: below });
    });
    await expect(circle).rejects.toMatchObject({ code: 'core.circular_records' });
  });

  it('know the company at the top of their tree', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const answer = await app.write(async (ctx) => {
      const partners = ctx.model(Partner);
      const company = await partners.create({ name: 'Company', is_company: true });
      const person = await partners.create({ name: 'Person', parent_id: company });
      const address = await partners.create({ name: 'Address', parent_id: person });
      return [(await partners.commercial([address])).get(address), company];
    });
    expect(answer[0]).toBe(answer[1]);
  });
});

eachDatabase('Sequences', (database) => {
  it('give numbers one after another, and take them back with what failed', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    await app.write((ctx) => ctx.model(Sequence).create({ name: 'Orders', code: 'order', prefix: 'SO' }));
    const next = () => app.write((ctx) => ctx.model(Sequence).next('order'));
    expect(await next()).toBe('SO00001');
    await expect(
      app.write(async (ctx) => {
        await ctx.model(Sequence).next('order');
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await Promise.all([next(), next(), next()]).then((all) => all.sort())).toEqual([
      'SO00002',
      'SO00003',
      'SO00004',
    ]);
  });
});
