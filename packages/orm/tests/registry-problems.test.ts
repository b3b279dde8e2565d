import { extend, f, model } from 'pergola';
import { access, group, rule } from '../access/define.ts';
import { fieldType } from '../fields.ts';
import { all, one, Partner, problems, Sale, sale, sign, stamp, Tag } from './registry-kit.ts';

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
        // @ts-expect-error a required field is not emptied
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
      'an extension over a model that is not there',
      () => problems([sign], { known: all }),
      /sign: It extends the model “kit.sale”.*Addon sale brings it/,
    ],
    [
      'an extension over an extension that is not there',
      () => problems([sale, stamp]),
      /stamp: It extends an extension of “kit.sale” that no enabled addon lists/,
    ],
    [
      'a field of another custom type in an extension',
      () => problems([sale, { name: 'b', models: [extend(Sale, { name: fieldType('b.code', { base: 'char' })() })] }]),
      /“kit.sale.name” is char in addon sale and redefined as b.code/,
    ],
    [
      'a full-text search of texts that are stored as numbers',
      () =>
        one(
          model(
            'kit.timed',
            { length: fieldType('kit.length', { base: 'char', column: 'bigint' })() },
            { search: ['length'] },
          ),
        ),
      /“kit.timed.length” is in search and isn’t a stored text/,
    ],
    [
      'a field of another type in an extension',
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
      'an extension that loosens',
      () => problems([sale, { name: 'b', models: [extend(Sale, { name: f.char({ required: false }) })] }]),
      /only tightens/,
    ],
    [
      'an extension that empties a column',
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
      'an extension with other values',
      () => problems([sale, { name: 'b', models: [extend(Sale, { state: f.selection(['draft', 'done'] as never) })] }]),
      /“kit.sale.state” has other values in addon sale; f.selectionAdd adds to them/,
    ],
    [
      'a field that is both computed and related',
      () =>
        one(
          class extends model('a.b', {
            p: f.many2one('a.b'),
            n: f.integer(),
            x: f.integer({ related: 'p.n', compute: 'go' } as never),
          }) {
            async go() {}
          },
        ),
      /“a.b.x” is both computed and related. Keep one/,
    ],
    [
      'a selection added to nothing',
      () => one(class extends model('a.b', { x: f.selectionAdd(['v'], { onUninstall: { v: null } }) }) {}),
      /adds to a selection that is not there/,
    ],
    ['a base field redefined', () => one(class extends model('a.b', { create_date: f.date() }) {}), /kept by the core/],
    ['a name that is none', () => one(class extends model('a.b', { 'Bad Name': f.char() }) {}), /cannot name a field/],
    [
      'a name every object has',
      () => one(class extends model('a.b', { constructor: f.char() } as never) {}),
      /cannot name a field/,
    ],
    ['a model name that is none', () => one(class extends model('a b', {}) {}), /cannot name a model/],
    ['the application’s tables', () => one(class extends model('core.x', {}) {}), /belongs to the application/],
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
      () => one(class extends model('a.b', { xs: f.many2many('a.b', { empty: 'none' }) }) {}),
      /links records of one model/,
    ],
    [
      'two many2many in one table',
      () =>
        problems([
          sale,
          { name: 'b', models: [extend(Partner, { other_tag_ids: f.many2many('kit.tag', { empty: 'none' }) })] },
        ]),
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
      /can’t be sorted by “x”/,
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
      'rights with several wrong letters, once',
      () => problems([{ ...sale, access: [access(Tag, { '*': 'read' })] }]),
      /^[^\n]*“read” in the access list of “kit.tag” are no rights\.[^\n]*$/,
    ],
    [
      'a rule declared twice',
      () =>
        problems([{ ...sale, rules: [rule('x', Tag, { domain: () => [] }), rule('x', Tag, { domain: () => [] })] }]),
      /x is declared twice/,
    ],
    [
      'a field in the domain of a rule that is not there',
      () => problems([{ ...sale, rules: [rule('x', Tag, { domain: () => [['nam' as never, '=', 'a']] })] }]),
      /The domain of the rule x: “kit\.tag” has no field “nam”. Did you mean “name”/,
    ],
    [
      'a field behind a relation, in the branch for members of a group',
      () =>
        problems([
          {
            ...sale,
            rules: [
              rule('x', Sale, {
                domain: (ctx) =>
                  (ctx.has('a.b')
                    ? [['partner_id.nam', '=', ctx.user.name], ...ctx.user.groups].slice(0, 1)
                    : [['name', '=', ctx.today()]]) as never,
              }),
            ],
          },
        ]),
      /The domain of the rule x: “partner_id” leads to “kit\.partner”, which has no field “nam”/,
    ],
  ])('name %s', (_what, found, expected) => {
    const texts = found();
    expect(texts.join('\n')).toMatch(expected);
    expect(texts).toHaveLength(1);
  });
});
