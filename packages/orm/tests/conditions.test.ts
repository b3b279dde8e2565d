import { jest } from '@jest/globals';
import { f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { databaseSession } from '../../db/session.ts';
import { buildRegistry } from '../build-registry.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

const closed = { readonly: [['state', '=', 'closed']] } as const;
class Letter extends model('by_state.letter', {
  name: f.char({ required: true, ...closed }),
  subject: f.char({ translate: true, required: [['state', '=', 'closed']] }),
  reason: f.char({ required: [['state', '=', 'closed']], hidden: [['kind', '=', 'note']] }),
  state: f.selection(['draft', 'closed'], { default: 'draft' }),
  kind: f.selection(['letter', 'note'], { default: 'letter' }),
  tag_ids: f.many2many('by_state.tag', { ...closed, empty: 'none' }),
  line_ids: f.one2many('by_state.line', 'letter_id', closed),
  archived: f.boolean(),
  note: f.char({ readonly: ['|', ['archived', '=', true], ['tag_ids.name', 'in', ['Final', 'Sent']]] }),
  remark: f.char({ readonly: [['hidden', '=', 'x']] }),
  hidden: f.char({ groups: 'by_state.boss' }),
}) {}
class Line extends model('by_state.line', {
  letter_id: f.many2one('by_state.letter', { ondelete: 'cascade' }),
  name: f.char(),
}) {}
class Tag extends model('by_state.tag', { name: f.char() }) {}
declare module 'pergola' {
  interface Models {
    'by_state.letter': Letter;
    'by_state.line': Line;
    'by_state.tag': Tag;
  }
}

const addons = openToAll([{ name: 'by_state', models: [Letter, Line, Tag] }]);
const fixed = 'This can’t be changed while State is Closed.';

eachDatabase('Fields by the state of their record', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons);
  });
  afterAll(() => kit.close());

  const on = (name: string, work: 'create' | 'write' | 'unlink', ...args: unknown[]): Promise<number> =>
    kit.write((ctx) => Reflect.apply(loosely(ctx, name)[work], loosely(ctx, name), args), { su: true });
  const letter = (values: object) =>
    on('by_state.letter', 'create', { name: 'A', subject: 'S', reason: 'R', ...values });

  it('are kept once they are read-only, whoever writes, and may be given at first', async () => {
    const id = await letter({ state: 'closed', line_ids: [{ create: { name: 'a' } }] });
    const [line] = (
      await kit
        .ctx()
        .model(Letter)
        .get(id, { select: { line_ids: true } })
    ).line_ids;
    const change = (values: object) => refusal(on('by_state.letter', 'write', id, values));
    expect((await change({ name: 'B', line_ids: [{ create: {} }], tag_ids: [{ create: {} }] })).fields).toEqual({
      name: fixed,
      line_ids: fixed,
      tag_ids: fixed,
    });
    await on('by_state.letter', 'write', id, { name: 'A', archived: true });
    const beside = { letter_id: 'The record it belongs to can’t be changed while State is Closed.' };
    for (const work of [
      () => on('by_state.line', 'create', { letter_id: id }),
      () => on('by_state.line', 'write', line, { name: 'b' }),
      () => on('by_state.line', 'unlink', line),
    ])
      expect((await refusal(work())).fields).toEqual(beside);
    const other = await on('by_state.line', 'create', { name: 'free' });
    expect((await refusal(on('by_state.line', 'write', other, { letter_id: id }))).fields).toEqual(beside);
    await on('by_state.letter', 'unlink', id);
    expect(
      await kit
        .ctx()
        .model(Line)
        .search([['id', '=', line ?? 0]]),
    ).toEqual([]);
  });

  it('say what keeps them, without what the caller may not know', async () => {
    const refused = async (values: object, change: object, groups: readonly string[] = []) => {
      const id = await letter(values);
      const work = kit.write((ctx) => ctx.model(Letter).write(id, change), { groups });
      return (await refusal(work)).fields;
    };
    const change = { note: 'B' };
    expect(await refused({ archived: true }, change)).toEqual({
      note: 'This can’t be changed while Archived is Yes.',
    });
    expect(await refused({ tag_ids: [{ create: { name: 'Sent' } }] }, change)).toEqual({
      note: 'This can’t be changed while Tag / Name is Final or Sent.',
    });
    expect(await refused({ hidden: 'x' }, { remark: 'B' })).toEqual({ remark: 'This can no longer be changed.' });
    expect(await refused({ hidden: 'x' }, { remark: 'B' }, ['by_state.boss'])).toEqual({
      remark: 'This can’t be changed while Hidden is x.',
    });
  });

  it('ask nothing for a state that the transaction knows', async () => {
    const id = await letter({ line_ids: [{ create: { name: 'a' } }] });
    await kit.write(
      async (ctx) => {
        const letters = ctx.model(Letter);
        const [row] = await letters.read([id], { select: { state: true, line_ids: { name: true, letter_id: true } } });
        const asked = jest.spyOn(ctx.get(databaseSession).connection, 'query');
        await ctx.model(Line).write(row?.line_ids[0]?.id ?? 0, { name: 'b' });
        expect(asked.mock.calls.map(([{ sql }]) => sql.slice(0, 6))).toEqual(['update']);
      },
      { su: true },
    );
  });

  it('go by the state before the change, which may be the one that closes', async () => {
    const id = await letter({});
    await on('by_state.letter', 'write', id, { state: 'closed', name: 'Last' });
    expect((await refusal(on('by_state.letter', 'write', id, { state: 'draft', name: 'Again' }))).fields).toEqual({
      name: fixed,
    });
  });

  it('are asked for by the state after it, unless they are hidden', async () => {
    const id = await letter({ subject: null, reason: null });
    const close = { state: 'closed' };
    const required = 'This is required while State is Closed.';
    const missing = { subject: required, reason: required };
    expect((await refusal(on('by_state.letter', 'write', id, close))).fields).toEqual(missing);
    await on('by_state.letter', 'write', id, { ...close, subject: 'S', kind: 'note' });
    expect((await refusal(letter({ ...close, subject: null, reason: null }))).fields).toEqual(missing);
  });
});

it('are checked when the addons start: names, values and what cannot be kept', () => {
  const wrong = model('by_state.wrong', {
    a: f.char({ readonly: [['stat', '=', 'x']] }),
    b: f.char({ required: [['state', '=', 'opne']] }),
    c: f.one2many('by_state.line', 'letter_id', { hidden: [['secret', '=', 1]] }),
    d: f.char({ hidden: [['state', 'near', 'x'] as never] }),
    secret: f.integer({ secret: true }),
    state: f.selection(['open']),
  });
  const { problems } = buildRegistry(openToAll([{ name: 'x', models: [class extends wrong {}] }]));
  const texts = problems.map(({ message }) => message).join('\n');
  expect(texts).toContain('“by_state.wrong.a” is readonly by a condition: “by_state.wrong” has no field “stat”.');
  expect(texts).toContain('“by_state.wrong.b” is required by a condition: “state” is never “opne”.');
  expect(texts).toContain('“by_state.wrong.c” is hidden by a condition: “secret” is secret.');
  expect(texts).toContain('isn’t an operator');
});
