import { type Ctx, InvalidInput } from '@pergola/core';
import { createTestApp, eachDatabase, type TestApp, until } from 'pergola/testing';
import { z } from 'zod';
import { type Setting, settings } from '../index.ts';

eachDatabase('Settings', (database) => {
  let site: Promise<TestApp> | undefined;
  const app = () => (site ??= createTestApp({ addons: ['fx_shared_columns'], database }));
  afterAll(async () => (await site)?.close());

  /** The days that a loan lasts; 14 unless somebody changes it. */
  const days = (ctx: Ctx): Setting<number> => {
    const found = ctx.get(settings).find(({ setting }) => setting.name === 'fx_shared_columns.days');
    return found?.setting as Setting<number>;
  };
  const read = async () => (await app()).read((ctx) => ctx.settings.get(days(ctx)));

  test('have a default until they are changed, and again when the change is rolled back', async () => {
    const { write } = await app();
    expect(await read()).toBe(14);
    const failing = write(async (ctx) => {
      await ctx.settings.set(days(ctx), 30);
      expect(await ctx.settings.get(days(ctx))).toBe(30);
      expect(await read()).toBe(14);
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    expect(await read()).toBe(14);
    await write((ctx) => ctx.settings.set(days(ctx), 30));
    expect(await read()).toBe(30);
  });

  test('refuse what their schema refuses, and name the field', async () => {
    const { write } = await app();
    const wrong = write((ctx) => ctx.settings.set(days(ctx), 1.5));
    await expect(wrong).rejects.toThrow(InvalidInput);
    await expect(wrong).rejects.toMatchObject({
      code: 'core.bad_setting',
      fields: { 'fx_shared_columns.days': expect.any(String) },
    });
  });

  test('are changed in a transaction only', async () => {
    const { read: reading } = await app();
    await expect(reading((ctx) => ctx.settings.set(days(ctx), 3))).rejects.toMatchObject({
      code: 'core.context_does_not_write',
    });
  });

  test('have their default where what is stored no longer fits', async () => {
    const { write } = await app();
    await write((ctx) => ctx.settings.set(days(ctx), 21));
    await write((ctx) => ctx.settings.set({ ...days(ctx), schema: z.any() }, 'three weeks'));
    expect(await read()).toBe(14);
    await write((ctx) => ctx.settings.set(days(ctx), 21));
  });

  test('that are secret are stored encrypted, and those stored before in plain can be read', async () => {
    const { write, read: reading } = await app();
    const { database: data } = await app();
    await write(async (ctx) => {
      const secret = { ...days(ctx), secret: true };
      await ctx.settings.set(days(ctx), 77);
      expect(await ctx.settings.get(secret)).toBe(77);
      await ctx.settings.set(secret, 78);
      expect(await ctx.settings.get(secret)).toBe(78);
    });
    const { rows } = await data.reader.query(data.knex('core_setting').select('value').toSQL().toNative());
    expect(JSON.stringify(rows)).not.toContain('78');
    expect(await reading((ctx) => ctx.settings.get({ ...days(ctx), secret: true }))).toBe(78);
  });

  test('changed by another process are seen', async () => {
    const own = await app();
    await own.write((ctx) => ctx.settings.set(days(ctx), 5));
    expect(await read()).toBe(5);
    const other = await own.secondNode();
    await other.write((ctx) => ctx.settings.set(days(ctx), 6));
    await until(async () => (await read()) === 6);
  });
});
