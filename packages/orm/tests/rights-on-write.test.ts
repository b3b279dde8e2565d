import { access, type FieldsOf, f, type Ids, model, rule, type Values } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { createModelKit, loosely, type ModelKit, refusal } from './kit.ts';

class Doc extends model('rw.doc', {
  name: f.char({ required: true }),
  owner: f.integer(),
  locked: f.boolean(),
  salary: f.integer({ groups: 'x.boss' }),
  folder_id: f.many2one('rw.folder'),
  folder_ids: f.many2many('rw.folder', { empty: 'none' }),
  part_ids: f.one2many('rw.part', 'doc_id'),
  size: f.integer({ compute: 'computeSize', depends: ['part_ids.size'], store: true }),
}) {
  async computeSize(ids: Ids): Promise<Map<number, number>> {
    const rows = await this.read(ids, { select: { part_ids: { size: true } } });
    return new Map(rows.map((row) => [row.id, row.part_ids.reduce((sum, { size }) => sum + (size ?? 0), 0)]));
  }
}
class Part extends model('rw.part', {
  doc_id: f.many2one('rw.doc', { required: true, ondelete: 'cascade' }),
  size: f.integer(),
  owner: f.integer(),
}) {}
class Folder extends model('rw.folder', { name: f.char(), owner: f.integer() }) {}
class Member extends model('rw.member', { user: f.integer(), room: f.integer() }) {}
class Message extends model('rw.message', { room: f.integer() }) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Message>>[],
  ): Promise<readonly Values<FieldsOf<Message>>[]> {
    for (const { room } of values) await this.ctx.sudo().model(Member).create({ user: 1, room });
    return values;
  }
}
class Note extends model('rw.note', { text: f.char(), pinned: f.boolean() }) {
  override async allowed(ids: Ids, operation: 'read' | 'write' | 'unlink'): Promise<number[]> {
    const own = await super.allowed(ids, operation);
    const pinned = await this.ctx
      .sudo()
      .model(Note)
      .search([
        ['id', 'in', own],
        ['pinned', '=', true],
      ]);
    return operation === 'read' ? own : own.filter((id) => !pinned.includes(id));
  }
}
class Log extends model(
  'rw.log',
  { text: f.char(), model: f.char(), record: f.integer() },
  {
    appendOnly: true,
    attachedTo: { model: 'model', id: 'record' },
  },
) {}
class Proof extends model('rw.proof', { log_id: f.many2one('rw.log', { ondelete: 'restrict' }) }) {}
declare module 'pergola' {
  interface Models {
    'rw.doc': Doc;
    'rw.proof': Proof;
    'rw.part': Part;
    'rw.folder': Folder;
    'rw.log': Log;
    'rw.note': Note;
    'rw.member': Member;
    'rw.message': Message;
  }
}

const addons = [
  {
    name: 'rw',
    models: [Doc, Part, Folder, Log, Member, Message, Note, Proof],
    access: [
      access(Doc, { 'x.user': 'rwcd', 'x.guest': 'r' }),
      access(Part, { 'x.user': 'rwc' }),
      access(Folder, { 'x.user': 'rw' }),
      access(Log, { 'x.user': 'rwcd' }),
      access(Message, { 'x.user': 'rwcd' }),
      access(Note, { 'x.user': 'rwcd' }),
      access(Proof, { 'x.user': 'rwcd' }),
    ],
    rules: [
      rule('rw.room', Message, {
        domain: async (ctx) => {
          const rooms = await ctx
            .sudo()
            .model(Member)
            .find([['user', '=', ctx.user.id]], { select: { room: true } });
          return [['room', 'in', rooms.map(({ room }) => room)]];
        },
      }),
      rule('rw.read', Doc, {
        operations: 'r',
        groups: ['x.user'],
        domain: (ctx) => ['|', ['owner', '=', ctx.user.id], ['owner', '=', 9]],
      }),
      rule('rw.own', Doc, {
        operations: 'wcd',
        groups: ['x.user'],
        domain: (ctx) => [
          ['owner', '=', ctx.user.id],
          ['locked', '=', false],
        ],
      }),
      rule('rw.small', Doc, { operations: 'wc', domain: () => [['size', '<=', 10]] }),
      rule('rw.folder', Folder, { domain: (ctx) => [['owner', '=', ctx.user.id]] }),
    ],
  },
];

eachDatabase('Writing under rights', (dialect) => {
  let kit: ModelKit;
  let mine = 0;
  let shared = 0;
  let hidden = 0;
  const me = { id: 1, groups: ['x.user'] };

  beforeAll(async () => {
    kit = await createModelKit(dialect, addons);
    [mine = 0, shared = 0, hidden = 0] = await kit.write(
      (ctx) =>
        ctx.model(Doc).create([
          { name: 'mine', owner: 1 },
          { name: 'shared', owner: 9 },
          { name: 'hidden', owner: 2 },
        ]),
      { su: true },
    );
  });
  afterAll(() => kit.close());

  /** Everything in the tables, to see that a refusal changed nothing. */
  const everything = async () => {
    const tables = ['rw_doc', 'rw_part', 'rw_folder', 'rw_log', 'rw_doc__rw_folder__rel', 'core_external_id'];
    return Promise.all(tables.map((table) => kit.sql(`select * from ${table} order by 1`)));
  };

  /** Tries something that has to be refused, in a transaction that goes on to its commit all the same. */
  const refused = async (work: Parameters<ModelKit['write']>[0], viewer: Parameters<ModelKit['write']>[1] = me) => {
    const before = await everything();
    const error = await kit.write((ctx) => refusal(work(ctx)), viewer);
    expect(await everything()).toEqual(before);
    return error;
  };

  test('refuses what no access list grants', async () => {
    const guest = { groups: ['x.guest'] };
    expect((await refused((ctx) => ctx.model(Doc).create({ name: 'x' }), guest)).code).toBe('core.access_denied');
    expect((await refused((ctx) => ctx.model(Doc).write(mine, { name: 'x' }), guest)).code).toBe('core.access_denied');
    expect((await refused((ctx) => ctx.model(Doc).unlink(mine), guest)).code).toBe('core.access_denied');
    expect((await refused((ctx) => ctx.model(Doc).create({ name: 'x' }), {})).status).toBe(403);
  });

  test('tells a record that may not be changed from one that may not be seen', async () => {
    const seen = await refused((ctx) => ctx.model(Doc).write([mine, shared], { name: 'x' }));
    expect(seen).toMatchObject({ status: 403, code: 'core.rule_denied', params: { records: String(shared) } });
    expect((await refused((ctx) => ctx.model(Doc).unlink(shared))).code).toBe('core.rule_denied');
    const unseen = await refused((ctx) => ctx.model(Doc).write(hidden, { name: 'x' }));
    const missing = await refused((ctx) => ctx.model(Doc).write(99_999, { name: 'x' }));
    expect([unseen.status, unseen.code, unseen.message]).toEqual([missing.status, missing.code, missing.message]);
    expect(unseen.code).toBe('core.no_record');
    expect((await refused((ctx) => ctx.sudo().model(Doc).write(99_999, { name: 'x' }))).code).toBe('core.no_record');
  });

  test('refuses results that the rules do not allow, and undoes them', async () => {
    expect((await refused((ctx) => ctx.model(Doc).create({ name: 'x', owner: 2 }))).code).toBe('core.rule_denied');
    expect((await refused((ctx) => ctx.model(Doc).write(mine, { owner: 2 }))).status).toBe(404);
    expect((await refused((ctx) => ctx.model(Doc).write(mine, { locked: true }))).code).toBe('core.rule_denied');
    expect(
      (await refused((ctx) => loosely(ctx, 'rw.doc').write(mine, { part_ids: [{ create: { size: 11 } }] }))).code,
    ).toBe('core.rule_denied');
    await kit.write((ctx) => loosely(ctx, 'rw.doc').write(mine, { part_ids: [{ create: { size: 10 } }] }), me);
  });

  test('refuses fields of other groups, and changes nothing else either', async () => {
    const error = await refused((ctx) => ctx.model(Doc).write(mine, { name: 'x', salary: 1 }));
    expect(error).toMatchObject({ status: 403, code: 'core.field_denied' });
    expect((await refused((ctx) => ctx.model(Doc).create({ name: 'x', owner: 1, salary: 1 }))).code).toBe(
      'core.field_denied',
    );
    await kit.write((ctx) => ctx.model(Doc).write(mine, { salary: 1 }), { id: 1, groups: ['x.user', 'x.boss'] });
  });

  test('links only to records the caller may read, whichever way', async () => {
    const [own = 0, foreign = 0] = await kit.write(
      (ctx) =>
        ctx.model(Folder).create([
          { name: 'own', owner: 1 },
          { name: 'foreign', owner: 2 },
        ]),
      { su: true },
    );
    for (const values of [
      { folder_id: foreign },
      { folder_ids: [foreign] },
      { folder_ids: [{ link: foreign }] },
      { folder_ids: [{ set: [own, foreign] }] },
    ]) {
      const error = await refused((ctx) => loosely(ctx, 'rw.doc').write(mine, values));
      const [[, text] = []] = Object.entries(error.fields);
      expect(text).toBe(`Record not found: ${foreign}.`);
    }
    await kit.write((ctx) => ctx.model(Doc).write(mine, { folder_id: own, folder_ids: [own] }), me);
    await kit.write((ctx) => ctx.sudo().model(Doc).write(mine, { folder_id: foreign }), me);
    await kit.write((ctx) => ctx.model(Doc).write(mine, { name: 'still mine' }), me);
  });

  test('writes lines under the rights for lines', async () => {
    const line = await kit.write((ctx) => ctx.sudo().model(Part).create({ doc_id: mine, size: 0 }));
    expect((await refused((ctx) => loosely(ctx, 'rw.doc').write(mine, { part_ids: [{ delete: line }] }))).code).toBe(
      'core.access_denied',
    );
    expect((await refused((ctx) => loosely(ctx, 'rw.doc').write(mine, { part_ids: [] }))).code).toBe(
      'core.access_denied',
    );
    expect((await refused((ctx) => ctx.model(Part).create({ doc_id: hidden, size: 1 }))).fields).toHaveProperty(
      'doc_id',
    );
  });

  test('keeps rows that are only added as they are', async () => {
    const id = await kit.write((ctx) => ctx.model(Log).create({ text: 'x' }), me);
    expect((await refused((ctx) => ctx.model(Log).write(id, { text: 'y' }))).code).toBe('core.append_only');
    expect((await refused((ctx) => ctx.model(Log).unlink(id))).code).toBe('core.append_only');
    await kit.write((ctx) => ctx.sudo().model(Log).unlink(id), me);
  });

  test('deletes with a record what is attached to it, and what its lines are, without asking for rights over them', async () => {
    const id = await kit.write(
      (ctx) => loosely(ctx, 'rw.doc').create({ name: 'gone', owner: 1, part_ids: [{ create: {} }] }),
      me,
    );
    await kit.write(
      (ctx) =>
        ctx.model(Log).create([
          { model: 'rw.doc', record: id },
          { model: 'rw.part', record: id },
        ]),
      me,
    );
    const proof = await kit.write(async (ctx) => {
      const [log = null] = await ctx.model(Log).search([
        ['model', '=', 'rw.doc'],
        ['record', '=', id],
      ]);
      return ctx.model(Proof).create({ log_id: log });
    }, me);
    expect((await refused((ctx) => ctx.model(Doc).unlink(id))).status).toBe(409);
    await kit.write((ctx) => ctx.model(Proof).unlink(proof), me);
    await kit.write((ctx) => ctx.model(Doc).unlink(id), me);
    expect(await kit.sql('select model from rw_log where record = ?', id)).toEqual([{ model: 'rw.part' }]);
    expect(
      await kit
        .ctx({ su: true })
        .model(Part)
        .count([['doc_id', '=', id]]),
    ).toBe(0);
  });

  test('asks models that decide themselves which records are allowed', async () => {
    const id = await kit.write((ctx) => ctx.model(Note).create({ text: 'x', pinned: true }), me);
    expect((await refused((ctx) => ctx.model(Note).write(id, { text: 'y' }))).code).toBe('core.rule_denied');
    expect((await refused((ctx) => ctx.model(Note).unlink(id))).code).toBe('core.rule_denied');
    await kit.write((ctx) => ctx.sudo().model(Note).unlink(id), me);
  });

  test('goes by what the rules say once everything is written', async () => {
    const rooms = await kit.write(async (ctx) => {
      expect(await ctx.model(Message).search([])).toEqual([]);
      const id = await ctx.model(Message).create({ room: 7 });
      return ctx.model(Message).read([id], { select: { room: true } });
    }, me);
    expect(rooms).toMatchObject([{ room: 7 }]);
  });

  test('copies only what the caller may read', async () => {
    expect((await refused((ctx) => ctx.model(Doc).copy(hidden))).code).toBe('core.no_record');
    expect((await refused((ctx) => ctx.model(Doc).copy(shared))).code).toBe('core.rule_denied');
    const made = await kit.write((ctx) => ctx.model(Doc).copy(mine), me);
    expect(
      await kit
        .ctx({ su: true })
        .model(Doc)
        .get(made, { select: { salary: true, owner: true } }),
    ).toMatchObject({
      salary: null,
      owner: 1,
    });
  });
});
