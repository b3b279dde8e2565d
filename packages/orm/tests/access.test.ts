import { access, type Ctx, f, type Ids, model, rule } from 'pergola';
import { META, type RowMeta } from 'pergola/orm';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { AccessList, RecordRule } from '../access/define.ts';
import type { AddonModels } from '../build-registry.ts';
import { createModelKit, type ModelKit } from './kit.ts';

class Owner extends model('desk.owner', {
  name: f.char({ required: true }),
  email: f.char(),
  note_ids: f.one2many('desk.note', 'owner_id'),
}) {}
class Note extends model('desk.note', {
  name: f.char({ required: true }),
  owner_id: f.many2one('desk.owner'),
  owner_email: f.char({ related: 'owner_id.email' }),
  label_ids: f.many2many('desk.label', { empty: 'none' }),
  private: f.boolean(),
  secret: f.char({ groups: ['desk.boss'] }),
}) {
  override async displayNames(ids: Ids): Promise<Map<number, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, `Note ${name}`]));
  }
}
class Label extends model('desk.label', {
  name: f.char({ required: true }),
  note_id: f.many2one('desk.note'),
  hidden: f.boolean(),
}) {}
class Closed extends model('desk.closed', { name: f.char() }) {}
declare module 'pergola' {
  interface Models {
    'desk.owner': Owner;
    'desk.note': Note;
    'desk.label': Label;
    'desk.closed': Closed;
  }
}

const groups = ['desk.user', 'desk.boss', 'desk.reader'];
const lists: AccessList[] = [
  access(Owner, { 'desk.user': 'r', 'desk.boss': 'rw' }),
  access(Note, { 'desk.reader': 'r', 'desk.user': 'rwc', 'desk.boss': 'd' }),
  access(Label, { '*': 'r' }),
];
const rules: RecordRule[] = [
  rule('desk.own', Note, {
    groups: ['desk.user'],
    operations: 'rcd',
    domain: (ctx) => ['|', ['owner_id', '=', ctx.user.partnerId], ['private', '=', false]],
  }),
  rule('desk.write_own', Note, {
    groups: ['desk.user'],
    operations: 'w',
    domain: (ctx) => [['owner_id', '=', ctx.user.partnerId]],
  }),
  rule('desk.boss', Note, { groups: ['desk.boss'], domain: () => [] }),
  rule('desk.no_ghosts', Note, { domain: () => [['name', '!=', 'ghost']] }),
  rule('desk.owners', Owner, { groups: ['desk.user'], domain: (ctx) => [['id', '=', ctx.user.partnerId]] }),
  rule('desk.labels', Label, { domain: () => [['hidden', '=', false]] }),
];
const desk: AddonModels = { name: 'desk', models: [Owner, Note, Label, Closed], access: lists, rules };

eachDatabase('Rights', (dialect) => {
  let kit: ModelKit;
  const yes = dialect === 'sqlite' ? 1 : true;
  const user = { id: 7, partnerId: 1, groups: ['desk.user'] };
  const boss = { id: 8, partnerId: 2, groups: ['desk.user', 'desk.boss'] };
  beforeAll(async () => {
    kit = await createModelKit(dialect, [desk], { groups });
    await kit.insert(
      'desk_owner',
      { id: 1, name: 'Me', name__fold: 'me', email: 'me@x' },
      { id: 2, name: 'You', name__fold: 'you', email: 'you@x' },
    );
    await kit.insert(
      'desk_note',
      { id: 1, name: 'mine', owner_id: 1, private: yes, secret: 's1' },
      { id: 2, name: 'yours', owner_id: 2, private: yes },
      { id: 3, name: 'open', owner_id: 2 },
      { id: 4, name: 'ghost', owner_id: 1 },
    );
    await kit.insert(
      'desk_label',
      { id: 1, name: 'a', note_id: 2 },
      { id: 2, name: 'b', note_id: 3 },
      { id: 3, name: 'c', note_id: 3, hidden: yes },
    );
    await kit.insert(
      'desk_label__desk_note__rel',
      { desk_note_id: 1, desk_label_id: 2 },
      { desk_note_id: 1, desk_label_id: 3 },
    );
  });
  afterAll(() => kit.close());

  const ids = (ctx: Ctx) => ctx.model(Note).search([], { order: 'id' });

  test('are refused for what no access list grants, naming model and operation', async () => {
    const refusal = { status: 403, code: 'core.access_denied', params: { model: 'desk.note', label: 'Note' } };
    await expect(ids(kit.ctx())).rejects.toMatchObject(refusal);
    await expect(kit.ctx().model(Note).get(1, { select: {} })).rejects.toMatchObject(refusal);
    await expect(kit.ctx().model(Note).count([])).rejects.toMatchObject(refusal);
    await expect(
      kit
        .ctx()
        .model(Note)
        .group([], { by: ['private'] }),
    ).rejects.toMatchObject(refusal);
    await expect(kit.ctx(boss).model(Closed).search([])).rejects.toMatchObject({ status: 403 });
    expect(await kit.ctx({ su: true }).model(Closed).search([])).toEqual([]);
  });

  test('add up over groups; rules for everybody hold always, those of groups one or the other', async () => {
    expect(await ids(kit.ctx(user))).toEqual([1, 3]);
    expect(await ids(kit.ctx(boss))).toEqual([1, 2, 3]);
    expect(await ids(kit.ctx({ groups: ['desk.reader'] }))).toEqual([1, 2, 3]);
    expect(await ids(kit.ctx({ su: true }))).toEqual([1, 2, 3, 4]);
    expect(await kit.ctx(user).model(Note).count([])).toBe(2);
    expect(
      await kit
        .ctx(user)
        .model(Note)
        .group([], { by: [], aggregates: ['id:count'] }),
    ).toEqual([{ 'id:count': 2, count: 2 }]);
  });

  test('hide records alike whether they are there or not', async () => {
    const missing = (id: number) =>
      kit
        .ctx(user)
        .model(Note)
        .get(id, { select: { name: true } })
        .catch((error: unknown) => error);
    const [hidden, gone] = await Promise.all([missing(2), missing(99)]);
    expect(hidden).toMatchObject({ status: 404, code: 'core.no_record' });
    expect(String(hidden)).toBe(String(gone));
    expect(await kit.ctx(user).model(Note).read([2, 1], { select: {} })).toHaveLength(1);
  });

  test('hold inside nested selects: a hidden record is null behind a many2one and left out of lists', async () => {
    const [mine, open] = await kit
      .ctx(user)
      .model(Note)
      .find([], {
        select: {
          owner_id: { email: true, note_ids: { name: true } },
          label_ids: { name: true, note_id: { name: true } },
        },
        order: 'id',
      });
    expect(mine?.owner_id).toMatchObject({ email: 'me@x', note_ids: [{ name: 'mine' }] });
    expect(mine?.label_ids).toMatchObject([{ name: 'b', note_id: { name: 'open' } }]);
    expect(open?.owner_id).toBeNull();
    const [label] = await kit
      .ctx(user)
      .model(Label)
      .find([['id', '=', 1]], { select: { note_id: { name: true } } });
    expect(label?.note_id).toBeNull();
    const [seen] = await kit
      .ctx({ groups: ['desk.reader'] })
      .model(Note)
      .find([], { select: { owner_id: { email: true } } });
    expect(seen?.owner_id).toBeNull();
  });

  test('let the name behind a many2one of a readable record be read, and nothing else', async () => {
    const read = (select: object) =>
      kit
        .ctx(user)
        .model(Note)
        .get(3, { select: { owner_id: select } as { owner_id: { display_name: true } } });
    expect(await read({ display_name: true })).toMatchObject({ owner_id: { id: 2, display_name: 'You' } });
    expect(await read({ display_name: true, email: true })).toMatchObject({ owner_id: null });
    expect((await kit.ctx(user).model(Owner).displayNames([1, 2])).get(2)).toBeUndefined();
    const [label] = await kit
      .ctx(user)
      .model(Label)
      .find([['id', '=', 2]], { select: { note_id: { display_name: true } } });
    expect(label).toMatchObject({ note_id: { display_name: 'Note open' } });
  });

  test('keep related values and conditions from telling what is hidden', async () => {
    const notes = kit.ctx(user).model(Note);
    const rows = await notes.find([], { select: { owner_email: true }, order: 'id' });
    expect(rows.map(({ owner_email }) => owner_email)).toEqual(['me@x', null]);
    expect(await notes.search([['owner_id.email', 'ilike', 'you']])).toEqual([]);
    expect(await notes.search([['owner_email', '=like', 'y%']])).toEqual([]);
    expect(await notes.search([['owner_id.email', 'ilike', 'me']])).toEqual([1]);
    expect(await notes.search([['owner_id', 'ilike', 'you']])).toEqual([]);
    expect(await notes.search([['owner_id.note_ids.name', '=', 'ghost']])).toEqual([]);
    expect(await notes.search([['label_ids', '=', 3]])).toEqual([]);
    expect(
      await kit
        .ctx({ su: true })
        .model(Note)
        .search([['label_ids', '=', 3]]),
    ).toEqual([1]);
    expect(await notes.search([], { order: 'owner_id.email desc' })).toEqual([1, 3]);
  });

  test('keep groups by related values from telling what is hidden', async () => {
    const byEmail = async (viewer: object) => {
      const groups = await kit
        .ctx(viewer)
        .model(Note)
        .group([], { by: ['owner_email'], aggregates: ['owner_email:count_distinct'] });
      return groups.map(({ owner_email, count, ...rest }) => [owner_email, count, rest['owner_email:count_distinct']]);
    };
    expect(await byEmail(user)).toEqual([
      [null, 1, 0],
      ['me@x', 1, 1],
    ]);
    expect(await byEmail({ groups: ['desk.reader'] })).toEqual([[null, 3, 0]]);
    expect(await byEmail({ su: true })).toEqual([
      ['me@x', 2, 1],
      ['you@x', 2, 1],
    ]);
  });

  test('say of each row whether it may be changed, without another query', async () => {
    kit.ran.length = 0;
    const rows = await kit
      .ctx(user)
      .model(Note)
      .find([], { select: { name: true }, order: 'id' });
    const mayWrite = rows.map((row) => (row as unknown as { [META]: RowMeta })[META].mayWrite);
    expect(mayWrite).toEqual([true, false]);
    expect(kit.ran).toHaveLength(1);
    const [reader] = await kit
      .ctx({ groups: ['desk.reader'] })
      .model(Note)
      .find([], { select: {} });
    expect((reader as unknown as { [META]: RowMeta })[META].mayWrite).toBe(false);
    const [owner] = await kit.ctx(boss).model(Owner).find([], { select: {} });
    expect((owner as unknown as { [META]: RowMeta })[META].mayWrite).toBe(true);
  });

  test('tell which of the ids one may act on', async () => {
    const notes = kit.ctx(user).model(Note);
    expect(await notes.allowed([3, 1, 2, 99], 'read')).toEqual([3, 1]);
    expect(await notes.allowed([3, 1, 2], 'write')).toEqual([1]);
    expect(await notes.allowed([1, 3], 'unlink')).toEqual([]);
    expect(await kit.ctx(boss).model(Note).allowed([1, 2, 4], 'unlink')).toEqual([1, 2]);
  });

  test('of a field’s groups are asked for when it is named', async () => {
    await expect(
      kit
        .ctx(user)
        .model(Note)
        .get(1, { select: { secret: true } }),
    ).rejects.toMatchObject({ status: 403, code: 'core.field_denied' });
    await expect(
      kit
        .ctx(user)
        .model(Label)
        .find([], { select: { note_id: { secret: true } } }),
    ).rejects.toMatchObject({ status: 403 });
    expect(
      await kit
        .ctx(boss)
        .model(Note)
        .get(1, { select: { secret: true } }),
    ).toMatchObject({ secret: 's1' });
  });

  test('are worked out once per context, whatever is asked of it', async () => {
    let times = 0;
    const counting: AddonModels = {
      ...desk,
      rules: [
        rule('desk.counted', Note, {
          domain: () => {
            times++;
            return [];
          },
        }),
      ],
    };
    const ctx = kit.under([counting], { groups }).ctx(user);
    times = 0;
    await ctx.model(Note).search([]);
    await ctx.model(Note).count([['label_ids.note_id.name', '=', 'x']]);
    expect(times).toBe(2); // one for reading, one for the rows' mayWrite
  });

  test('a rule may read others with rights lifted, and is told when it needs itself', async () => {
    const own = (ctx: Ctx) => ctx.model(Note).search([]);
    const lifted: AddonModels = {
      ...desk,
      rules: [rule('desk.lifted', Note, { domain: async (ctx) => [['id', 'in', await own(ctx.sudo())]] })],
    };
    expect(await ids(kit.under([lifted], { groups }).ctx(user))).toEqual([1, 2, 3, 4]);
    const circular: AddonModels = {
      ...desk,
      rules: [rule('desk.circle', Note, { domain: async (ctx) => [['id', 'in', await own(ctx)]] })],
    };
    await expect(ids(kit.under([circular], { groups }).ctx(user))).rejects.toThrow(/desk\.circle.*sudo/);
    const broken: AddonModels = {
      ...desk,
      rules: [rule('desk.broken', Note, { domain: () => [['nope' as 'name', '=', 1]] })],
    };
    expect(() => kit.under([broken], { groups })).toThrow(/desk\.broken.*no field “nope”/);
    const empty: AddonModels = {
      ...desk,
      rules: [rule('desk.empty', Note, { domain: () => [['owner_id', '=', undefined]] })],
    };
    await expect(ids(kit.under([empty], { groups }).ctx(user))).rejects.toThrow(/desk\.empty of addon desk/);
  });
});
