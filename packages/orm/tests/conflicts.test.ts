import { access, f, model, rule } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { createModelKit, type ModelKit, openToAll, refusal } from './kit.ts';

class User extends model(
  'conf.user',
  {
    name: f.char({ required: true }),
    login: f.char({ unique: true, label: 'Login name' }),
    hidden: f.boolean(),
  },
  { label: 'User' },
) {}
class Seat extends model(
  'conf.seat',
  {
    row: f.integer(),
    number: f.integer(),
    vip: f.boolean(),
    user_id: f.many2one('conf.user', { ondelete: 'restrict' }),
  },
  {
    nameField: 'number',
    unique: [{ fields: ['row', 'number'] }, { fields: ['user_id'], where: 'vip', message: 'One VIP seat each.' }],
  },
) {}
class Badge extends model(
  'conf.badge',
  { user_id: f.many2one('conf.user', { required: true, label: 'Owner' }) },
  { label: 'Badge' },
) {}
declare module 'pergola' {
  interface Models {
    'conf.user': User;
    'conf.seat': Seat;
    'conf.badge': Badge;
  }
}

const conf = { name: 'conf', models: [User, Seat] };
const badges = { name: 'badges', models: [Badge] };

eachDatabase('A conflict', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, openToAll([conf, badges]));
  });
  afterAll(() => kit.close());
  const user = (values: object = {}) => kit.write((ctx) => ctx.model(User).create({ name: 'u', ...values }));

  test('over a value that must be unique names the field and the record', async () => {
    await user({ name: 'Ann', login: 'ann' });
    const error = await refusal(user({ login: 'ann' }));
    expect(error).toMatchObject({
      status: 409,
      code: 'core.not_unique',
      params: { fields: '“Login name”', records: 'Ann' },
    });
    expect(error.fields.login).toBe('Another “User” already has this “Login name”: Ann.');
    const bob = await user({ login: 'bob' });
    expect((await refusal(kit.write((ctx) => ctx.model(User).write(bob, { login: 'ann' })))).code).toBe(
      'core.not_unique',
    );
    await user({ login: '' });
    await user({ login: null });
    const twins = kit.write((ctx) =>
      ctx.model(User).create([
        { name: 'a', login: 't' },
        { name: 'b', login: 't' },
      ]),
    );
    expect((await refusal(twins)).fields).toHaveProperty('login');
  });

  test('does not name records that the caller may not see', async () => {
    const ruled = kit.under([
      {
        ...conf,
        access: [access(User, { '*': 'rwc' })],
        rules: [rule('conf.rule', User, { operations: 'r', domain: () => [['hidden', '=', false]] })],
      },
    ]);
    await user({ name: 'Secret', login: 'secret', hidden: true });
    const error = await refusal(ruled.write((ctx) => ctx.model(User).create({ name: 'x', login: 'secret' })));
    expect(error.fields.login).toBe('Another “User” already has this “Login name”.');
  });

  test('over several values names them all, or says what the model says', async () => {
    const seat = (values: object) => kit.write((ctx) => ctx.model(Seat).create(values));
    await seat({ row: 1, number: 1 });
    expect(Object.keys((await refusal(seat({ row: 1, number: 1 }))).fields)).toEqual(['row', 'number']);
    await seat({ row: 1, number: null });
    await seat({ row: 1, number: null });
    const owner = await user();
    await seat({ row: 2, number: 1, user_id: owner, vip: true });
    await seat({ row: 2, number: 2, user_id: owner });
    const error = await refusal(seat({ row: 2, number: 3, user_id: owner, vip: true }));
    expect(error).toMatchObject({ code: 'core.not_unique', message: 'One VIP seat each.' });
    expect(error.fields).toEqual({ user_id: 'One VIP seat each.' });
  });

  test('leaves the transaction as it was, and it may go on', async () => {
    await user({ login: 'taken' });
    const names = await kit.write(async (ctx) => {
      const before = await ctx.model(User).create({ name: 'before' });
      await refusal(ctx.model(User).create([{ name: 'lost' }, { name: 'lost', login: 'taken' }]));
      const after = await ctx.model(User).create({ name: 'after' });
      return ctx.model(User).read([before, after], { select: { name: true } });
    });
    expect(names.map(({ name }) => name)).toEqual(['before', 'after']);
    expect(
      await kit
        .ctx()
        .model(User)
        .count([['name', '=', 'lost']]),
    ).toBe(0);
  });

  test('over deleting what is in use names who uses it', async () => {
    const id = await user({ name: 'used' });
    const [one, two] = await kit.write((ctx) => ctx.model(Badge).create([{ user_id: id }, { user_id: id }]));
    const error = await refusal(kit.write((ctx) => ctx.model(User).unlink(id)));
    expect(error).toMatchObject({ status: 409, code: 'core.record_in_use' });
    expect(error.params).toMatchObject({ records: '“used”', users: `Badge “${one}”, “${two}” (Owner)` });
    await kit.write((ctx) => ctx.model(Badge).unlink([one ?? 0, two ?? 0]));
    await kit.write((ctx) => ctx.model(User).unlink(id));
  });

  test('over deleting what a disabled addon uses names that addon', async () => {
    const id = await user({ name: 'kept' });
    await kit.write((ctx) => ctx.model(Badge).create({ user_id: id }));
    await kit.insert('core_ownership', {
      addon: 'badges',
      kind: 'table',
      table_name: 'conf_badge',
      name: 'conf_badge',
    });
    const without = kit.under(openToAll([conf]));
    const error = await refusal(without.write((ctx) => ctx.model(User).unlink(id)));
    expect(error.params.users).toBe('records of the app “badges” (conf_badge), which is disabled');
  });

  test('does not arise between writes that run side by side', async () => {
    const ids = await kit.write((ctx) =>
      Promise.all(Array.from({ length: 5 }, (_, n) => ctx.model(User).create({ name: `beside ${n}` }))),
    );
    expect(new Set(ids).size).toBe(5);
  });
});
