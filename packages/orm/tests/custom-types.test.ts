import { createTestApp, eachDatabase, refusal, type TestApp } from 'pergola/testing';

eachDatabase('A type of fields of an addon', (dialect) => {
  let app: TestApp;
  const found = (domain: readonly unknown[]) =>
    app.read(async (ctx) => {
      const rows = await ctx
        .modelNamed('fx.open.talk')
        .find(domain as never, { select: { name: true }, order: 'length' });
      return rows.map(({ name }) => name);
    });

  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_open'], database: dialect });
    await app.write(async (ctx) => {
      for (const [name, length] of [
        ['long', '10:00'],
        ['short', '9:05'],
        ['default', undefined],
      ])
        await ctx.modelNamed('fx.open.talk').create({ name, ...(length && { length }) });
    });
  });
  afterAll(() => app.close());

  test('compares, sorts and groups in the form of its column, and finds values as they are read', async () => {
    expect(await found([])).toEqual(['default', 'short', 'long']);
    expect(await found([['length', '>', '9:00']])).toEqual(['short', 'long']);
    expect(await found([['length', 'in', ['0:45', '10:00']]])).toEqual(['default', 'long']);
    const groups = await app.read((ctx) =>
      ctx.modelNamed('fx.open.talk').group([], { by: ['length'], aggregates: ['id:count'] }),
    );
    expect(groups.map((row) => row.length)).toEqual(['0:45', '9:05', '10:00']);
    await expect(found([['length', '=', 'soon']])).rejects.toThrow('is no duration');
    await expect(found([['length', 'ilike', '9']])).rejects.toThrow('with this value isn’t valid');
  });

  test('checks values and keeps their only form', async () => {
    const write = (values: object) =>
      app.write((ctx) => ctx.modelNamed('fx.open.talk').create({ name: 'new', ...values } as never));
    expect((await refusal(write({ length: 'soon', color: 'red' }))).fields).toEqual({
      length: 'Enter a duration such as 1:30.',
      color: 'Enter a colour such as #a1b2c3.',
    });
    await write({ length: '001:30', color: '#A1B2C3' });
    const [row] = await app.read((ctx) =>
      ctx
        .modelNamed('fx.open.talk')
        .find([['color', 'ilike', '#A1']] as never, { select: { length: true, color: true } }),
    );
    expect(row).toMatchObject({ length: '1:30', color: '#a1b2c3' });
    expect((await refusal(write({ color: '#A1b2c3' }))).fields).toEqual({ color: expect.any(String) });
  });

  test('is printed for readers by {{field}}', async () => {
    expect((await app.get('/fx/open/talks')).text).toMatch(/long: 10 h 00/);
  });
});
