import { type Ctx, extend, f, type Ids, mixin, model } from '#core';
import { access, group, rule } from '../../addon/security.ts';
import type { TestDialect } from '../../testing/databases.ts';
import { eachDatabase } from '../../testing/databases.ts';
import { type AddonModels, buildRegistry } from '../build-registry.ts';
import { ownership, tablesOf } from '../schema.ts';
import { createModelKit, openToAll } from './kit.ts';

const Published = mixin(
  'kit.published',
  { published: f.boolean(), slug: f.char({ index: true }) },
  (Base) =>
    class extends Base {
      async publish(ids: Ids): Promise<string> {
        return `${this.modelName} ${ids.join()}`;
      }
    },
  { publishable: true },
);
const Rated = mixin(
  'kit.rated',
  { rating: f.integer() },
  (Base) =>
    class extends Base {
      rate(): string {
        return 'rated';
      }
    },
);
class Sale extends model(
  'kit.sale',
  {
    name: f.char({ required: true }),
    state: f.selection(['draft', 'sale'], { default: 'draft' }),
    partner_id: f.many2one('kit.partner', { required: true }),
    line_ids: f.one2many('kit.sale.line', 'sale_id'),
    email: f.char({ related: 'partner_id.email' }),
    total: f.integer({ compute: 'computeTotal', depends: ['line_ids.qty'], store: true }),
  },
  {
    order: 'name desc, partner_id.name',
    mixins: [Published],
    unique: [{ fields: ['name', 'partner_id'], where: 'published' }],
  },
) {
  async confirm(): Promise<string[]> {
    return ['sale'];
  }
  async computeTotal(ids: Ids): Promise<Map<number, number>> {
    return new Map(ids.map((id) => [id, id]));
  }
}
class Line extends model('kit.sale.line', {
  sale_id: f.many2one('kit.sale', { required: true, ondelete: 'cascade' }),
  qty: f.integer({ default: 1 }),
}) {}
class Partner extends model(
  'kit.partner',
  {
    name: f.char({ required: true, translate: true }),
    email: f.char({ unique: true }),
    tag_ids: f.many2many('kit.tag'),
  },
  { search: ['name', 'email'] },
) {}
class Tag extends model('kit.tag', { name: f.char(), partner_ids: f.many2many('kit.partner') }) {}

const Signed = extend(
  Sale,
  {
    signer: f.char({ required: true }),
    state: f.selectionAdd(['signed'], { onUninstall: { signed: 'sale' } }),
    level: f.integer({ required: true, default: 3 }),
  },
  (Base) =>
    class extends Base {
      override async confirm(): Promise<string[]> {
        return [...(await super.confirm()), 'signed'];
      }
    },
);
const Stamped = extend(
  Signed,
  { stamp: f.char(), state: f.selectionAdd(['stamped'], { onUninstall: { stamped: 'draft' } }) },
  (Base) =>
    class extends Base {
      override async confirm(): Promise<string[]> {
        return [...(await super.confirm()), `stamped ${this.rate()}`];
      }
    },
  { mixins: [Rated] },
);
declare module '#core' {
  interface Models {
    'kit.sale': Sale;
    'kit.sale.line': Line;
    'kit.partner': Partner;
    'kit.tag': Tag;
  }
}

const sale: AddonModels = { name: 'sale', models: [Sale, Line, Partner, Tag] };
const sign: AddonModels = { name: 'sign', models: [Signed] };
const stamp: AddonModels = { name: 'stamp', models: [Stamped] };
const all = [sale, sign, stamp];

/** What is wrong with these addons, one text each. */
const problems = (addons: readonly AddonModels[], options: Parameters<typeof buildRegistry>[1] = {}) =>
  buildRegistry(addons, options).problems.map(({ addon, message, remedy }) =>
    `${addon}: ${message} ${remedy ?? ''}`.trim(),
  );
const one = (...models: NonNullable<AddonModels['models']>) => problems([{ name: 'a', models }]);

describe('A registry', () => {
  const context = (addons: readonly AddonModels[], dialect: TestDialect = 'sqlite') =>
    createModelKit(dialect, openToAll(addons));

  test('puts the layers of two addons over one method, each seeing the other as super', async () => {
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

  test('knows every field with what layers changed, and who brought it', () => {
    const { registry } = buildRegistry(all);
    const model = registry.need('kit.sale');
    expect(model.layers).toEqual(['sign', 'stamp']);
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
    expect(model.fields.get('signer')).toMatchObject({ addon: 'sign', layered: true });
    expect(model.fields.get('rating')).toMatchObject({ addon: 'stamp', layered: true });
    expect(model.fields.get('published')).toMatchObject({ addon: 'sale', layered: false });
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

  test('builds three hundred models with layers in well under a second', () => {
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
    const started = performance.now();
    expect(buildRegistry(addons).problems).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('A registry’s problems', () => {
  test('are none for addons that fit', () => {
    expect(problems(all)).toEqual([]);
  });

  test('are all reported at once', () => {
    class Wrong extends model(
      'bad.one',
      {
        a: f.many2one('bad.tow'),
        b: f.one2many('bad.two', 'bad_id'),
        c: f.char({ related: 'a.x' }),
        d: f.many2one('bad.two', { required: true, ondelete: 'set null' }),
      },
      { order: 'nmae', nameField: 'titel', search: ['q'] },
    ) {}
    class Two extends model('bad.two', { one_id: f.many2one('bad.one') }) {}
    const found = one(Wrong as never, Two as never);
    expect(found).toHaveLength(7);
    expect(found.join('\n')).toContain(
      'a: “bad.one.a” leads to the model “bad.tow”, which is not there. Did you mean “bad.two”?',
    );
  });

  test.each<[string, () => string[], RegExp]>([
    [
      'a model declared twice',
      () => problems([sale, { name: 'b', models: [class extends model('kit.tag', {}) {}] }]),
      /b: The model “kit.tag” is declared twice, here and in addon sale/,
    ],
    ['a model listed twice', () => one(Partner, Tag, Tag), /listed twice/],
    [
      'a layer over a model that is not there',
      () => problems([sign], { known: all }),
      /sign: It extends the model “kit.sale”.*Addon sale brings it/,
    ],
    [
      'a layer over a layer that is not there',
      () => problems([sale, stamp]),
      /stamp: It extends a layer of “kit.sale” that no enabled addon lists/,
    ],
    [
      'a field of another type in a layer',
      () => problems([sale, { name: 'b', models: [extend(Sale, { name: f.integer() })] }]),
      /“kit.sale.name” is char in addon sale and redefined as integer/,
    ],
    [
      'a field that two addons bring without knowing',
      () => problems([...all, { name: 'b', models: [extend(Sale, { signer: f.char() })] }]),
      /b: “kit.sale.signer” is brought by addon sign too/,
    ],
    [
      'names that are looked for in each other',
      () =>
        one(
          class extends model('kit.hen', { egg_id: f.many2one('kit.egg') }, { nameSearch: ['egg_id'] }) {},
          class extends model('kit.egg', { hen_id: f.many2one('kit.hen') }, { nameField: 'hen_id' }) {},
        ),
      /Looking for “kit.hen” by name leads back to it/,
    ],
    [
      'a layer that loosens',
      () => problems([sale, { name: 'b', models: [extend(Sale, { name: f.char({ required: false }) })] }]),
      /only tightens/,
    ],
    [
      'a layer that empties a column',
      () =>
        problems([
          sale,
          { name: 'b', models: [extend(Sale, { state: f.selection(['draft', 'sale'], { compute: 'confirm' }) })] },
        ]),
      /kept in a column/,
    ],
    [
      'a value added twice',
      () =>
        problems([
          sale,
          {
            name: 'b',
            models: [extend(Sale, { state: f.selectionAdd(['sale'], { onUninstall: { sale: 'draft' } }) })],
          },
        ]),
      /has the value “sale” already/,
    ],
    [
      'a selection added to nothing',
      () => one(class extends model('a.b', { x: f.selectionAdd(['v'], { onUninstall: { v: null } }) }) {}),
      /adds to a selection that is not there/,
    ],
    [
      'a base field redefined',
      () => one(class extends model('a.b', { create_date: f.date() }) {}),
      /kept by the kernel/,
    ],
    ['a name that is none', () => one(class extends model('a.b', { 'Bad Name': f.char() }) {}), /cannot name a field/],
    [
      'a name every object has',
      () => one(class extends model('a.b', { constructor: f.char() } as never) {}),
      /cannot name a field/,
    ],
    ['a model name that is none', () => one(class extends model('a b', {}) {}), /cannot name a model/],
    ['the kernel’s tables', () => one(class extends model('core.x', {}) {}), /belongs to the kernel/],
    [
      'two models on one table',
      () => one(class extends model('a.b', {}) {}, class extends model('a.c', {}, { table: 'a_b' }) {}),
      /share the table a_b/,
    ],
    [
      'an inverse that is missing',
      () => one(class extends model('a.b', { xs: f.one2many('a.b', 'parnt_id'), parent_id: f.many2one('a.b') }) {}),
      /other side of “a.b.parnt_id”.*“parent_id”/,
    ],
    [
      'an inverse that leads elsewhere',
      () =>
        problems([
          sale,
          { name: 'b', models: [class extends model('b.c', { xs: f.one2many('kit.sale.line', 'sale_id') }) {}] },
        ]),
      /no kept many2one to “b.c”/,
    ],
    [
      'a many2many to itself without columns',
      () => one(class extends model('a.b', { xs: f.many2many('a.b') }) {}),
      /links records of one model/,
    ],
    [
      'two many2many in one table',
      () => problems([sale, { name: 'b', models: [extend(Partner, { other_tag_ids: f.many2many('kit.tag') })] }]),
      /keep their links in one table/,
    ],
    [
      'money without a currency',
      () => one(class extends model('a.b', { x: f.money() }) {}),
      /its currency “currency_id”/,
    ],
    [
      'depends on nothing there',
      () =>
        one(
          class extends model('a.b', { x: f.integer({ compute: 'go', depends: ['yy'] }), y: f.integer() }) {
            async go() {}
          },
        ),
      /“a.b.x” depends on “yy”/,
    ],
    [
      'a compute method that is missing',
      () => one(class extends model('a.b', { x: f.integer({ compute: 'go' }) }) {}),
      /worked out by go\(\)/,
    ],
    [
      'a related field of another type',
      () => one(class extends model('a.b', { p: f.many2one('a.b'), x: f.integer({ related: 'p.n' }), n: f.char() }) {}),
      /“a.b.x” is integer and related to “a.b.n”, which is char/,
    ],
    [
      'a related field in a circle',
      () =>
        one(
          class extends model('a.b', {
            p: f.many2one('a.b'),
            x: f.char({ related: 'p.x' }),
          }) {},
        ),
      /related to itself/,
    ],
    [
      'an order by what cannot be sorted',
      () => one(class extends model('a.b', { x: f.json() }, { order: 'x' }) {}),
      /cannot be sorted by “x”/,
    ],
    [
      'an order that does not read',
      () => one(class extends model('a.b', {}, { order: 'id; drop' }) {}),
      /does not read as one/,
    ],
    [
      'unique over what has no column',
      () =>
        one(
          class extends model(
            'a.b',
            { xs: f.one2many('a.b', 'p'), p: f.many2one('a.b') },
            { unique: [{ fields: ['xs'] }] },
          ) {},
        ),
      /in unique and has no column/,
    ],
    [
      'a default that is no value',
      () => one(class extends model('a.b', { x: f.selection(['v'], { default: 'w' as 'v' }) }) {}),
      /none of its values/,
    ],
    [
      'an access list for nothing',
      () => problems([{ ...sale, access: [access(class extends model('kit.tga', {}) {}, { '*': 'r' })] }]),
      /an access list for the model “kit.tga”.*“kit.tag”/,
    ],
    [
      'a group that is not there',
      () =>
        problems([{ ...sale, access: [access(Tag, { 'x.usr': 'r' })] }], {
          groups: [group('x.user', { label: 'User' }).id],
        }),
      /The group “x.usr”.*“x.user”/,
    ],
    ['rights that are none', () => problems([{ ...sale, access: [access(Tag, { '*': 'rx' })] }]), /“rx”/],
    [
      'a rule declared twice',
      () =>
        problems([{ ...sale, rules: [rule('x', Tag, { domain: () => [] }), rule('x', Tag, { domain: () => [] })] }]),
      /x is declared twice/,
    ],
  ])('name %s', (_what, found, expected) => {
    const texts = found();
    expect(texts.join('\n')).toMatch(expected);
    expect(texts).toHaveLength(1);
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

  test('never let a layer’s column stand in the way of who does not know it', () => {
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

  test('leave tables of the kernel alone', () => {
    const { registry: kernel } = buildRegistry([
      {
        name: 'a',
        models: [class extends model('a.jobs', { queue: f.char() }, { table: 'core_job', kernelTable: true }) {}],
      },
    ]);
    expect(tablesOf(kernel)).toEqual([]);
    expect(kernel.need('a.jobs').fields.get('create_date')?.column).toBeNull();
  });
});

eachDatabase('The schema of a registry', (dialect) => {
  test('is made from the plan, and the same plan then finds nothing left to do', async () => {
    const kit = await createModelKit(dialect, openToAll(all), { languages: ['en_US', 'fr_FR'] });
    const { steps, problems: left } = kit.database.schema.plan(
      tablesOf(kit.registry),
      await kit.database.schema.introspect(),
    );
    expect(steps.map(({ sentence }) => sentence)).toEqual([]);
    expect(left).toEqual([]);
    await kit.close();
  });
});
