import { access, type Ctx, f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { type AddonModels, buildRegistry } from '../build-registry.ts';
import { createModelKit, loosely, type ModelKit } from './kit.ts';

class Owner extends model('safe.owner', {
  name: f.char({ required: true }),
  pin: f.char({ secret: true }),
  tries: f.integer({ secret: true }),
  keys: f.json<Readonly<Record<string, string>>>({ secret: true }),
  box_ids: f.one2many('safe.box', 'owner_id'),
}) {}
class Box extends model('safe.box', {
  name: f.char({ required: true }),
  owner_id: f.many2one('safe.owner'),
  token: f.char({ secret: true, sealed: false }),
  owner_pin: f.char({ related: 'owner_id.pin', secret: true }),
}) {}
const safe: AddonModels = {
  name: 'safe',
  models: [Owner, Box],
  access: [access(Owner, { '*': 'rwcd' }), access(Box, { '*': 'rwcd' })],
};

/** Everything a model can be asked about one field, by the path to it from a box. */
const asked: readonly (readonly [how: string, ask: (ctx: Ctx, path: string) => Promise<unknown>])[] = [
  ['find', (ctx, path) => loosely(ctx, 'safe.box').find([], { select: selectOf(path) } as never)],
  ['read', (ctx, path) => loosely(ctx, 'safe.box').read([11], { select: selectOf(path) } as never)],
  ['get', (ctx, path) => loosely(ctx, 'safe.box').get(11, { select: selectOf(path) } as never)],
  ['first', (ctx, path) => loosely(ctx, 'safe.box').first([], { select: selectOf(path) } as never)],
  ['find by', (ctx, path) => loosely(ctx, 'safe.box').find([[path, '!=', null]] as never, { select: {} } as never)],
  ['search', (ctx, path) => loosely(ctx, 'safe.box').search(['!', [path, '=', null]] as never)],
  ['count', (ctx, path) => loosely(ctx, 'safe.box').count(['|', ['id', '=', 11], [path, 'in', [null]]] as never)],
  ['order', (ctx, path) => loosely(ctx, 'safe.box').search([], { order: `id, ${path} desc` } as never)],
  ['group by', (ctx, path) => loosely(ctx, modelOf(path)).group([], { by: [last(path)] } as never)],
  [
    'group of',
    (ctx, path) =>
      loosely(ctx, modelOf(path)).group([], { by: [], aggregates: [`${last(path)}:count_distinct`] } as never),
  ],
  ['group where', (ctx, path) => loosely(ctx, 'safe.box').group([[path, '=', null]] as never, { by: [] } as never)],
];
const last = (path: string) => path.split('.').at(-1) ?? '';
const modelOf = (path: string) => (path.includes('.') ? 'safe.owner' : 'safe.box');
const selectOf = (path: string): object => {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? true : selectOf(rest.join('.')) };
};
const paths = ['token', 'owner_pin', 'owner_id.pin', 'owner_id.tries'];

eachDatabase('A secret field', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [safe]);
    await kit.insert('safe_owner', { id: 11, name: 'Ann', name__fold: 'ann', pin: '0000', tries: 3 });
    await kit.insert('safe_box', { id: 11, name: 'Box', name__fold: 'box', owner_id: 11, token: 'hush' });
  });
  afterAll(() => kit.close());

  test.each(asked)('is not told by %s, and is with rights lifted', async (_, ask) => {
    for (const path of paths) {
      await expect(ask(kit.ctx(), path)).rejects.toMatchObject({ status: 403, code: 'core.field_denied' });
      await expect(ask(kit.ctx({ su: true }), path).then(() => 'told')).resolves.toBe('told');
    }
  });

  test('is written, and neither copied nor told, by whoever may write the record', async () => {
    const seen = await kit.write(async (ctx) => {
      const boxes = ctx.model(Box);
      await boxes.write(11, { token: 'new' });
      const copy = await boxes.copy(11);
      return ctx
        .sudo()
        .model(Box)
        .read([11, copy], { select: { token: true } });
    });
    expect(seen.map(({ token }) => token)).toEqual(['new', null]);
  });

  test('is encrypted where it is stored, and read with rights lifted', async () => {
    const id = await kit.write(async (ctx) => ctx.model(Owner).create({ name: 'Bea', pin: '4711' }));
    const [row] = await kit.sql('select pin from safe_owner where id = ?', id);
    expect(row?.pin).toMatch(/^sealed:[\w-]{40,}$/);
    const owners = kit.ctx({ su: true }).model(Owner);
    expect((await owners.get(id, { select: { pin: true } })).pin).toBe('4711');
    // Stored before the field was encrypted.
    expect((await owners.get(11, { select: { pin: true } })).pin).toBe('0000');
    expect(await owners.search([['pin', '=', null]])).not.toContain(id);
    await expect(owners.search([['pin', '=', '4711']])).rejects.toThrow(/encrypted/);
    await expect(owners.search([['pin', 'ilike', 'a']])).rejects.toThrow(/encrypted/);
    await kit.write((ctx) => ctx.model(Owner).write([id, 11], { pin: '4712' }));
    expect((await owners.read([id, 11], { select: { pin: true } })).map(({ pin }) => pin)).toEqual(['4712', '4712']);
  });

  test('of JSON is encrypted, too', async () => {
    const keys = { main: 'hush-hush', spare: '"' };
    const id = await kit.write(async (ctx) => ctx.model(Owner).create({ name: 'Dan', keys }));
    const stored = async () => String((await kit.sql('select keys from safe_owner where id = ?', id))[0]?.keys);
    expect(await stored()).toMatch(/^"?sealed:[\w-]{40,}"?$/);
    const owners = kit.ctx({ su: true }).model(Owner);
    expect((await owners.get(id, { select: { keys: true } })).keys).toEqual(keys);
    await expect(owners.search([['keys', '=', keys]] as never)).rejects.toThrow();
    // Stored before the field was encrypted.
    await kit.sql('update safe_owner set keys = ? where id = ?', JSON.stringify(keys), id);
    expect((await owners.get(id, { select: { keys: true } })).keys).toEqual(keys);
    await kit.write((ctx) => ctx.model(Owner).write(id, { keys: null }));
    expect((await owners.get(id, { select: { keys: true } })).keys).toBeNull();
  });

  test('that was encrypted with another SESSION_SECRET says so, and can be entered again', async () => {
    const id = await kit.write(async (ctx) => ctx.model(Owner).create({ name: 'Cleo', pin: '1' }));
    await kit.sql('update safe_owner set pin = ? where id = ?', `sealed:${'A'.repeat(60)}`, id);
    const pin = () =>
      kit
        .ctx({ su: true })
        .model(Owner)
        .get(id, { select: { pin: true } });
    await expect(pin()).rejects.toMatchObject({ status: 409, code: 'core.other_session_secret' });
    await kit.write((ctx) => ctx.model(Owner).write(id, { pin: '2' }));
    expect(await pin()).toMatchObject({ pin: '2' });
  });

  test('may decide in a rule', async () => {
    const ruled: AddonModels = {
      ...safe,
      rules: [
        { id: 'safe.by_token', model: 'safe.box', groups: [], operations: 'r', domain: () => [['token', '=', 'no']] },
      ],
    };
    expect(await kit.under([ruled]).ctx().model(Box).search([])).toEqual([]);
  });
});

test('What would show a secret field to everybody is an error of the build', () => {
  class Shown extends model(
    'safe.shown',
    {
      name: f.char({ secret: true, required: true }),
      owner_id: f.many2one('safe.owner'),
      pin: f.char({ related: 'owner_id.pin' }),
      code: f.char({ secret: true }),
    },
    { order: 'owner_id.pin', search: ['code'] },
  ) {}
  const { problems } = buildRegistry([{ ...safe, models: [Owner, Box, Shown] }]);
  expect(problems.map(({ message }) => message)).toEqual([
    '“safe.shown” names its records by “name”, which is secret.',
    '“safe.shown” looks for its records in “name”, which is secret.',
    '“safe.shown” searches “code”, which is secret.',
    '“safe.shown” is sorted by “pin”, which is secret.',
    '“safe.shown.pin” is related to “safe.owner.pin”, which is secret.',
  ]);
});

test('A secret field that cannot be encrypted is an error of the build', () => {
  class Odd extends model('safe.odd', {
    name: f.char({ required: true }),
    shown: f.char({ sealed: false }),
    fixed: f.char({ secret: true, default: 'abc' }),
    hash: f.char({ secret: true, unique: true }),
    words: f.char({ secret: true, translate: true }),
  }) {}
  const { problems, registry } = buildRegistry([{ name: 'safe', models: [Odd] }]);
  expect(problems.map(({ message }) => message)).toEqual([
    '“safe.odd.shown” says “sealed” and is not secret.',
    '“safe.odd.fixed” is secret, and its default is the same everywhere.',
    '“safe.odd.words” is secret and translated, and translations aren’t encrypted.',
  ]);
  expect(registry.get('safe.odd')?.fields.get('hash')?.sealedFor).toBeNull();
});

declare module 'pergola' {
  interface Models {
    'safe.owner': Owner;
    'safe.box': Box;
  }
}
