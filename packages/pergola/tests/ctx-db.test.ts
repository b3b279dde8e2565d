import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { contextTools } from '../../../core/context/context-tools.ts';
import type { Tracker } from '../../../core/context/tracker.ts';
import { DatabaseMisuse } from '../../db/index.ts';
import { databaseSession } from '../../db/session.ts';

const table = 'fx_reference_tag';

eachDatabase('ctx.db', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_reference'], database });
  });
  afterAll(() => app.close());
  beforeEach(() => app.write((ctx) => ctx.db(table).delete()));

  it('builds and runs queries, and answers alike on both databases', async () => {
    await app.write(async (ctx) => {
      expect(await ctx.db(table).insert([{ name: 'sun' }, { name: 'sea' }])).toBe(2);
      expect(await ctx.db(table).insert({ name: 'sand' }).returning('name')).toEqual([{ name: 'sand' }]);
      expect(await ctx.db(table).where('name', 'like', 's%').update({ name: 'sky' }).whereNot('name', 'sand')).toBe(2);
      expect(await ctx.db(table).where({ name: 'sand' }).delete()).toBe(1);
    });
    await app.read(async (ctx) => {
      expect(await ctx.db(table).select('name').count({ times: '*' }).groupBy('name')).toEqual([
        { name: 'sky', times: 2 },
      ]);
      expect(await ctx.db(table).first('name')).toEqual({ name: 'sky' });
      expect(await ctx.db(table).where({ name: 'sea' }).first('name')).toBeUndefined();
      expect(await ctx.db(table).pluck('name')).toEqual(['sky', 'sky']);
      expect(await ctx.db.raw('select count(*) as n from ?? where name = ?', [table, 'sky'])).toEqual([{ n: 2 }]);
    });
  });

  it('runs in the transaction of its context: sees it, is undone with it, and is heard of after it', async () => {
    const { changes } = await app.read(async (ctx) => ctx.get(databaseSession).database);
    const before = changes.version(table);
    const failed = app.write(async (ctx) => {
      await ctx.modelNamed('fx_reference.tag').create([{ name: 'sun' }]);
      expect(await ctx.db(table).pluck('name')).toEqual(['sun']);
      await ctx.db(table).update({ name: 'sea' });
      expect(await ctx.modelNamed('fx_reference.tag').find([], { select: { name: true } })).toMatchObject([
        { name: 'sea' },
      ]);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await app.read((ctx) => ctx.db(table).pluck('name'))).toEqual([]);
    expect(changes.version(table)).toBe(before);
    await app.write((ctx) => ctx.db(table).insert({ name: 'sun' }));
    expect(changes.version(table)).toBeGreaterThan(before);
  });

  it('writes nothing where the context does not', async () => {
    await app.read(async (ctx) => {
      await expect(ctx.db(table).insert({ name: 'sun' })).rejects.toThrow(DatabaseMisuse);
    });
  });

  it('refuses what is not for a part of a transaction', async () => {
    await app.write(async (ctx) => {
      expect(() => ctx.db.schema).toThrow('changes of the schema');
      await expect((async () => ctx.db.transaction())()).rejects.toThrow('ctx.savepoint');
    });
  });

  it('keeps a page from being kept, since nobody knows what it read', async () => {
    const reasons: string[] = [];
    const tracker: Tracker = { table() {}, until() {}, personal: (reason) => reasons.push(reason), address() {} };
    await app.read((ctx) => ctx.get(contextTools).derive({ tracker }).db(table).first('name'));
    expect(reasons).toEqual(['reads with ctx.db']);
  });
});
