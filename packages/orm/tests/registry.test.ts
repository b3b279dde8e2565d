import { type Ctx, f, model } from 'pergola';
import { cpuTime } from '../../../tools/testing/cpu-time.ts';
import { eachDatabase, type TestDialect } from '../../../tools/testing/databases.ts';
import { type AddonModels, buildRegistry } from '../build-registry.ts';
import { ownership, tablesOf } from '../schema.ts';
import { createModelKit, openToAll } from './kit.ts';
import { all, Sale, Stamped, sale, sign } from './registry-kit.ts';

describe('A registry', () => {
  const context = (addons: readonly AddonModels[], dialect: TestDialect = 'sqlite') =>
    createModelKit(dialect, openToAll(addons));

  test('puts the extensions of two addons over one method, each seeing the other as super', async () => {
    const kit = await context(all);
    const order = kit.ctx().model(Stamped);
    expect(await order.confirm()).toEqual(['sale', 'signed', 'stamped rated']);
    expect(await kit.ctx().model(Sale).confirm()).toEqual(['sale', 'signed', 'stamped rated']);
    expect(order.modelName).toBe('kit.sale');
    expect(await order.publish([1])).toBe('kit.sale 1');
    await kit.close();
  });

  test('answers the same object whichever reference is asked', async () => {
    const kit = await context(all);
    const ctx = kit.ctx();
    expect(ctx.model(Sale)).toBe(ctx.model(Stamped));
    expect(ctx.model(Sale)).toBe(ctx.modelNamed('kit.sale'));
    expect(ctx.model(Sale)).not.toBe(kit.ctx().model(Sale));
    await kit.close();
  });

  test('shares nothing with another one in the same process', async () => {
    const kit = await context(all);
    const plain = kit.under(openToAll([sale]));
    const both = kit.under(openToAll([sale, sign]));
    const confirm = (ctx: Ctx) => ctx.model(Sale).confirm();
    expect(await Promise.all([confirm(plain.ctx()), confirm(both.ctx()), confirm(kit.ctx())])).toEqual([
      ['sale'],
      ['sale', 'signed'],
      ['sale', 'signed', 'stamped rated'],
    ]);
    expect(Object.keys(plain.ctx().model(Sale).fields)).not.toContain('signer');
    expect(Object.keys(both.ctx().model(Sale).fields)).toContain('signer');
    await kit.close();
  });

  test('knows every field with what extensions changed, and who brought it', () => {
    const { registry } = buildRegistry(all);
    const model = registry.need('kit.sale');
    expect(model.extensions).toEqual(['sign', 'stamp']);
    expect(
      [...(model.fields.get('state')?.choices ?? [])].map(([value, { addon, onUninstall }]) => [
        value,
        addon,
        onUninstall,
      ]),
    ).toEqual([
      ['draft', 'sale', null],
      ['sale', 'sale', null],
      ['signed', 'sign', 'sale'],
      ['stamped', 'stamp', 'draft'],
    ]);
    expect(model.declared.state?.values).toHaveProperty('stamped', 'Stamped');
    expect(model.fields.get('signer')).toMatchObject({ addon: 'sign', isExtended: true });
    expect(model.fields.get('rating')).toMatchObject({ addon: 'stamp', isExtended: true });
    expect(model.fields.get('published')).toMatchObject({ addon: 'sale', isExtended: false });
    expect(model.options.publishable).toBe(true);
    expect(registry.need('kit.partner').nameField?.name).toBe('name');
  });

  test('says which addon would bring a model that is not there', () => {
    const { registry } = buildRegistry([sale], {
      known: [sale, { name: 'more', models: [class extends model('kit.more', {}) {}] }],
    });
    expect(() => registry.need('kit.more')).toThrow(
      expect.objectContaining({ status: 404, code: 'core.no_model', params: { model: 'kit.more', addon: 'more' } }),
    );
    expect(() => registry.need('kit.nope')).toThrow(expect.objectContaining({ params: { model: 'kit.nope' } }));
  });

  test('builds three hundred models with extensions in well under a second', async () => {
    const addons = Array.from(
      { length: 30 },
      (_, addon): AddonModels => ({
        name: `a${addon}`,
        models: Array.from({ length: 10 }, (_, number) =>
          model(
            `big.m${addon}_${number}`,
            Object.fromEntries(Array.from({ length: 15 }, (_, field) => [`f${field}`, f.char()])),
          ),
        ) as never,
      }),
    );
    expect(await cpuTime(() => expect(buildRegistry(addons).problems).toEqual([]))).toBeLessThan(1_000);
  });
});

describe('The tables of a registry', () => {
  const { registry } = buildRegistry(all, { languages: ['en_US', 'fr_FR'] });
  const tables = new Map(tablesOf(registry).map((table) => [table.name, table]));
  const column = (table: string, name: string) =>
    tables.get(table)?.columns.find((candidate) => candidate.name === name);

  test('hold a column per kept field, with keys to other tables', () => {
    expect(column('kit_sale', 'id')).toEqual({ name: 'id', kind: 'id' });
    expect(column('kit_sale', 'partner_id')).toEqual({
      name: 'partner_id',
      kind: 'bigint',
      notNull: true,
      references: { table: 'kit_partner', onDelete: 'restrict' },
    });
    expect(column('kit_sale', 'name')).toEqual({ name: 'name', kind: 'text', notNull: true });
    expect(column('kit_sale', 'total')).toEqual({ name: 'total', kind: 'bigint' });
    expect(column('kit_sale', 'email')).toBeUndefined();
    expect(column('kit_partner', 'name')).toEqual({ name: 'name', kind: 'json', notNull: true });
    expect(column('kit_sale', 'create_date')).toEqual({ name: 'create_date', kind: 'datetime' });
  });

  test('never let an extension’s column stand in the way of who does not know it', () => {
    expect(column('kit_sale', 'signer')).toEqual({ name: 'signer', kind: 'text' });
    expect(column('kit_sale', 'level')).toEqual({ name: 'level', kind: 'bigint', notNull: true, default: 3 });
  });

  test('keep folded texts of what names and sorts, and a searched column per language', () => {
    expect(column('kit_sale', 'name__fold')).toEqual({ name: 'name__fold', kind: 'text' });
    expect(column('kit_partner', 'name__fold')).toEqual({ name: 'name__fold', kind: 'json' });
    expect(column('kit_sale', 'stamp__fold')).toBeUndefined();
    expect(
      tables
        .get('kit_partner')
        ?.indexes.filter(({ using }) => using === 'fulltext')
        .map(({ columns }) => columns),
    ).toEqual([['words__en_us'], ['words__fr_fr']]);
  });

  test('have one table between two models, with both keys cascading', () => {
    expect(tables.get('kit_partner__kit_tag__rel')).toEqual({
      name: 'kit_partner__kit_tag__rel',
      columns: [
        {
          name: 'kit_partner_id',
          kind: 'bigint',
          notNull: true,
          references: { table: 'kit_partner', onDelete: 'cascade' },
        },
        { name: 'kit_tag_id', kind: 'bigint', notNull: true, references: { table: 'kit_tag', onDelete: 'cascade' } },
      ],
      primaryKey: ['kit_partner_id', 'kit_tag_id'],
      indexes: [{ name: 'kit_partner__kit_tag__rel__kit_tag_id__idx', columns: ['kit_tag_id'] }],
    });
  });

  test('say which addon brought each', () => {
    const owners = ownership(registry);
    expect(owners.get('kit_sale')).toBe('sale');
    expect(owners.get('kit_sale.signer')).toBe('sign');
    expect(owners.get('kit_sale.rating')).toBe('stamp');
    expect(owners.get('kit_partner__kit_tag__rel')).toBe('sale');
  });

  test('leave tables of the core alone', () => {
    const { registry: application } = buildRegistry([
      {
        name: 'a',
        models: [class extends model('a.jobs', { name: f.char() }, { table: 'core_job', coreTable: true }) {}],
      },
    ]);
    expect(tablesOf(application)).toEqual([]);
    const { fields } = application.need('a.jobs');
    expect(fields.get('create_date')?.column).toBeNull();
    expect(fields.get('name')?.foldColumn).toBeNull();
  });
});

eachDatabase('The schema of a registry', (dialect) => {
  test('is made from the plan, and the same plan then finds nothing left to do', async () => {
    const kit = await createModelKit(dialect, openToAll(all), { languages: ['en_US', 'fr_FR'] });
    const { steps, problems: left } = kit.database.schema.plan(
      tablesOf(kit.registry),
      await kit.database.schema.introspect(),
    );
    expect(steps).toEqual([]);
    expect(left).toEqual([]);
    await kit.close();
  });
});
