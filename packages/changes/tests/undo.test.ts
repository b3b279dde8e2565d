import { NotFound } from '@pergola/core';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { refusal } from '../../orm/tests/kit.ts';
import { listChanges } from '../list.ts';
import { deleteOldChanges, eraseChanges } from '../retention.ts';
import {
  type ChangesKit,
  Counter,
  createChangesKit,
  Letter,
  Payment,
  Person,
  Project,
  staff,
  Tag,
  Task,
  Trail,
} from './kit.ts';

eachDatabase('Undo', (dialect, once) => {
  let kit: ChangesKit;
  beforeAll(async () => {
    kit = await createChangesKit(dialect);
  });
  afterAll(() => kit.close());

  /** Creates a project with a task, outside any change set. */
  const project = (name = 'Garden') =>
    kit.write(
      (ctx) => ctx.model(Project).create({ name, task_ids: [{ create: { name: 'Dig', hours: '2' } }] } as never),
      {
        su: true,
      },
    );
  const read = (id: number) =>
    kit
      .ctx(staff)
      .model(Project)
      .get(id, { select: { name: true, hours: true, active: true, task_ids: { name: true } } });
  const changed = async (...args: Parameters<ChangesKit['change']>): Promise<number> => {
    const setId = await kit.change(...args);
    if (setId === null) throw new Error('Nothing was recorded.');
    return setId;
  };

  test('names the person, the records and their kinds', async () => {
    const id = await project();
    const setId = await changed(async (ctx) => {
      await ctx.model(Project).write(id, { name: 'Orchard' });
      await ctx.model(Tag).create({ name: 'green' });
    });
    const [listed] = await listChanges(kit.ctx({ su: true }));
    expect(listed).toMatchObject({ id: setId, by: 'user 7', undone: false, undoOf: null });
    expect(listed?.records).toEqual([
      { model: 'plan.project', id, kind: 'changed', name: 'Orchard' },
      { model: 'plan.tag', id: expect.any(Number), kind: 'created', name: 'green' },
    ]);
    expect(await listChanges(kit.ctx({ su: true }), { model: 'plan.task' })).toEqual([]);
    expect(await listChanges(kit.ctx({ su: true }), { by: 'someone else' })).toEqual([]);
    expect((await listChanges(kit.ctx({ su: true }), { model: 'plan.project', id }))[0]?.id).toBe(setId);
  });

  test('leaves no trace of visitors, of values that stay, and of counters and trails', async () => {
    const id = await project();
    expect(await kit.change((ctx) => ctx.model(Project).write(id, { name: 'Garden' }))).toBeNull();
    expect(await kit.change((ctx) => ctx.sudo().model(Project).write(id, { name: 'Park' }), {})).toBeNull();
    expect(await kit.change((ctx) => ctx.model(Counter).create({ seen: 1 }))).toBeNull();
    expect(await kit.change((ctx) => ctx.model(Trail).create({ text: 'seen', project_id: id }))).toBeNull();
    const tag = await kit.change(async (ctx) => ctx.model(Tag).unlink(await ctx.model(Tag).create({ name: 'brief' })));
    expect(tag).toBeNull();
  });

  test('restores what code did with lifted rights', async () => {
    const id = await project();
    const setId = await changed((ctx) => ctx.sudo().model(Project).write(id, { active: false }));
    expect(await kit.undo(setId)).toEqual({ undone: 1, conflicts: [], irreversible: [] });
    expect((await read(id)).active).toBe(true);
  });

  test('is undone itself: the change is back, and neither counts as undone twice', async () => {
    const id = await project();
    const setId = await changed((ctx) => ctx.model(Project).unlink(id));
    await kit.undo(setId);
    expect((await read(id)).task_ids.map(({ name }) => name)).toEqual(['Dig']);
    const states = async () => new Map((await listChanges(kit.ctx({ su: true }))).map((set) => [set.id, set]));
    const [latest] = [...(await states()).values()];
    expect(latest).toMatchObject({ undoOf: setId, undone: false });
    expect((await states()).get(setId)?.undone).toBe(true);
    await kit.undo(latest?.id ?? 0);
    expect(
      await kit
        .ctx(staff)
        .model(Project)
        .search([['id', '=', id]]),
    ).toEqual([]);
    expect((await states()).get(setId)?.undone).toBe(false);
    expect((await states()).get(latest?.id ?? 0)?.undone).toBe(true);
  });

  test('changes nothing if a value was changed since, unless the rest is asked for', async () => {
    const id = await project();
    const setId = await changed((ctx) => ctx.model(Project).write(id, { name: 'Orchard', active: false }));
    await kit.change((ctx) => ctx.model(Project).write(id, { name: 'Vineyard' }), { id: 8, groups: ['staff'] });
    const conflict = {
      model: 'plan.project',
      id,
      name: 'Vineyard',
      field: 'name',
      before: 'Garden',
      after: 'Orchard',
      now: 'Vineyard',
    };
    expect(await kit.undo(setId)).toEqual({ undone: 0, conflicts: [conflict], irreversible: [] });
    expect((await read(id)).active).toBe(false);
    expect(await kit.undo(setId, { isPartial: true })).toEqual({ undone: 1, conflicts: [conflict], irreversible: [] });
    expect(await read(id)).toMatchObject({ active: true, name: 'Vineyard' });
    const states = await listChanges(kit.ctx({ su: true }));
    expect(states.find((set) => set.id === setId)).toMatchObject({ undone: false, isPartlyUndone: true });
  });

  test('restores chosen records and fields only', async () => {
    const [first, second] = [await project('One'), await project('Two')];
    const setId = await changed((ctx) => ctx.model(Project).write([first, second], { name: 'Same', active: false }));
    await kit.undo(setId, { records: [{ model: 'plan.project', id: first }], fields: ['active'] });
    expect(await read(first)).toMatchObject({ name: 'Same', active: true });
    expect(await read(second)).toMatchObject({ name: 'Same', active: false });
  });

  test('shows in a dry run what it would do, and does nothing', async () => {
    const id = await project();
    const setId = await changed((ctx) => ctx.model(Project).write(id, { name: 'Orchard' }));
    const before = await kit.sql('select count(*) as n from core_change_set');
    expect(await kit.undo(setId, { isDryRun: true })).toEqual({ undone: 1, conflicts: [], irreversible: [] });
    expect((await read(id)).name).toBe('Orchard');
    expect(await kit.sql('select count(*) as n from core_change_set')).toEqual(before);
  });

  test('keeps a created record that was changed since, or that others refer to', async () => {
    let [id, tag] = [0, 0];
    const setId = await changed(async (ctx) => {
      id = await ctx.model(Project).create({ name: 'New' });
      tag = await ctx.model(Tag).create({ name: 'new' });
    });
    await kit.change((ctx) => ctx.model(Task).create({ name: 'Later', project_id: id }));
    await kit.change((ctx) => ctx.model(Tag).write(tag, { name: 'newer' }));
    const { undone, conflicts } = await kit.undo(setId);
    expect(undone).toBe(0);
    expect(conflicts).toEqual([
      {
        model: 'plan.tag',
        id: tag,
        name: 'newer',
        field: 'name',
        before: null,
        after: { en_US: 'new' },
        now: { en_US: 'newer' },
      },
      {
        model: 'plan.project',
        id,
        name: 'New',
        field: null,
        before: null,
        after: null,
        now: 'plan.task.project_id: Later',
      },
    ]);
    expect((await kit.undo(setId, { isPartial: true })).undone).toBe(0);
    expect(
      (
        await kit
          .ctx(staff)
          .model(Tag)
          .get(tag, { select: { name: true } })
      ).name,
    ).toBe('newer');
  });

  test('does not restore a reference to a record that is gone', async () => {
    const id = await project();
    const person = await kit.write((ctx) => ctx.model(Person).create({ name: 'Ann' }), staff);
    await kit.write((ctx) => ctx.model(Project).write(id, { owner_id: person }), staff);
    const setId = await changed((ctx) => ctx.model(Project).write(id, { owner_id: null, name: 'Free' }));
    await kit.write((ctx) => ctx.model(Person).unlink(person), { su: true });
    const { conflicts } = await kit.undo(setId, { isPartial: true });
    expect(conflicts).toEqual([
      { model: 'plan.project', id, name: 'Free', field: 'owner_id', before: person, after: null, now: null },
    ]);
    expect((await read(id)).name).toBe('Garden');
  });

  test('needs the rights of the person who undoes, on everything it restores', async () => {
    const id = await project();
    const reader = { id: 9, groups: [] };
    const written = await changed((ctx) => ctx.sudo().model(Project).write(id, { name: 'Orchard' }), reader);
    const created = await changed((ctx) => ctx.sudo().model(Tag).create({ name: 'hidden' }), reader);
    const deleted = await changed((ctx) => ctx.model(Project).unlink(id));
    for (const setId of [deleted, created]) {
      const { undone, conflicts } = await kit.undo(setId, {}, reader);
      expect([undone, conflicts[0]?.message]).toEqual([0, expect.stringMatching(/permission/)]);
    }
    expect((await kit.undo(deleted)).undone).toBe(2);
    expect((await kit.undo(written, {}, reader)).conflicts[0]?.message).toMatch(/permission/);
    expect((await read(id)).name).toBe('Orchard');
  });

  test('needs the right to change the present record, not only the restored one', async () => {
    const id = await project();
    const clerk = { id: 10, groups: ['clerk'] };
    const [task = 0] = await kit
      .ctx(staff)
      .model(Task)
      .search([['project_id', '=', id]]);
    const setId = await changed((ctx) => ctx.model(Task).write(task, { state: 'done' }));
    expect((await kit.undo(setId, {}, clerk)).undone).toBe(0);
    expect((await kit.undo(setId)).undone).toBe(1);
  });

  test('respects models that refuse changes', async () => {
    const id = await kit.write((ctx) => ctx.model(Letter).create({ name: 'Draft' }), staff);
    const setId = await changed((ctx) => ctx.model(Letter).write(id, { name: 'Final' }));
    await kit.write((ctx) => ctx.model(Letter).write(id, { sealed: true }), staff);
    const { undone, conflicts } = await kit.undo(setId);
    expect([undone, conflicts[0]?.message]).toEqual([0, 'The letter is sealed.']);
  });

  test('names payments and secrets, and leaves them', async () => {
    const id = await project();
    const setId = await changed(async (ctx) => {
      await ctx.model(Payment).create({ name: 'Card' });
      await ctx.model(Project).write(id, { name: 'Paid' });
    });
    expect(await kit.undo(setId)).toEqual({ undone: 1, conflicts: [], irreversible: ['Payments aren’t refunded.'] });
    expect(await kit.ctx(staff).model(Payment).count([])).toBe(1);
    const person = await kit.write((ctx) => ctx.model(Person).create({ name: 'Bo', secret: 'x', version: 1 }), staff);
    expect(await kit.change((ctx) => ctx.model(Person).write(person, { secret: 'y', version: 2 }))).toBeNull();
    const gone = await changed((ctx) => ctx.model(Person).unlink(person));
    expect((await kit.undo(gone)).irreversible).toEqual(['“Secret” is secret, so it isn’t restored.']);
    const rows = await kit.sql(
      'select name, secret, version from plan_person where id = ?'.replace('?', String(person)),
    );
    expect(rows.map(({ name, secret, version }) => [name, secret, Number(version)])).toEqual([['Bo', null, 2]]);
    const stored = JSON.stringify(await kit.sql('select records from core_change_set'));
    expect(stored).not.toContain('"secret"');
  });

  test('brings back trails with the record they belong to, and its external ids', async () => {
    const id = await project();
    await kit.write((ctx) => ctx.model(Trail).create({ text: 'made', project_id: id }), staff);
    const flag = dialect === 'sqlite' ? 0 : false;
    await kit.insert('core_external_id', {
      addon: 'imported',
      name: `p${id}`,
      source: 'imported',
      model: 'plan.project',
      record_id: id,
      noupdate: flag,
      checksums: '{}',
    });
    const names = () => kit.sql(`select name, record_id from core_external_id where record_id = ${id}`);
    const before = await names();
    const setId = await changed((ctx) => ctx.model(Project).unlink(id));
    expect(await names()).toEqual([]);
    expect((await kit.undo(setId)).conflicts).toEqual([]);
    expect(await names()).toEqual(before);
    expect(
      await kit
        .ctx({ su: true })
        .model(Trail)
        .count([['project_id', '=', id]]),
    ).toBe(1);
  });

  test('recalculates computed values and full text', async () => {
    const id = await project();
    const setId = await changed((ctx) =>
      ctx
        .model(Project)
        .write(id, { name: 'Orchard', task_ids: [{ create: { name: 'Prune', hours: '3.5' } }] } as never),
    );
    expect((await read(id)).hours).toBe('5.5');
    await kit.undo(setId);
    expect((await read(id)).hours).toBe('2');
    expect(
      await kit
        .ctx(staff)
        .model(Project)
        .search([], { search: 'garden' } as never),
    ).toContain(id);
  });

  test('gives new records other ids than restored ones', async () => {
    const last = await project('Last');
    const setId = await changed((ctx) => ctx.model(Project).unlink(last));
    if (dialect === 'postgres')
      await kit.sql(`select setval(pg_get_serial_sequence('plan_project', 'id'), ${last - 1}, true)`);
    await kit.undo(setId);
    expect(await project('Next')).toBeGreaterThan(last);
  });

  test('is recorded for the command line, too', async () => {
    const id = await project();
    const setId = await changed((ctx) => ctx.model(Project).write(id, { name: 'Orchard' }));
    await kit.undo(setId, {}, { su: true });
    expect((await listChanges(kit.ctx({ su: true })))[0]).toMatchObject({ by: 'command line', undoOf: setId });
    expect(await refusal(kit.undo(999_999))).toBeInstanceOf(NotFound);
  });

  test('ends with the time for which changes are kept, and with the erasure of a record', async () => {
    const [first, second] = [await project('One'), await project('Two')];
    const setId = await changed((ctx) => ctx.model(Project).write([first, second], { name: 'Person' }));
    const values = async () => JSON.stringify(await kit.sql(`select records from core_change_set where id = ${setId}`));
    expect(await kit.write((ctx) => eraseChanges(ctx, 'plan.project', [first]), { su: true })).toBeGreaterThan(0);
    expect(await values()).not.toContain('One');
    expect(await values()).toContain('Two');
    expect((await kit.undo(setId)).undone).toBe(1);
    const { database } = kit;
    expect(await deleteOldChanges(database, new Date(Date.now() - 60_000))).toBe(0);
    expect(await deleteOldChanges(database, new Date(Date.now() + 60_000))).toBeGreaterThan(0);
    expect((await kit.sql('select count(*) as n from core_change_set')).map(({ n }) => Number(n))).toEqual([0]);
  });

  once('does not lose a change when a savepoint takes back a later one', async () => {
    const id = await project();
    const setId = await changed(async (ctx) => {
      await ctx.model(Project).write(id, { name: 'Orchard' });
      await ctx
        .savepoint(async () => {
          await ctx.model(Project).unlink(id);
          throw new Error('taken back');
        })
        .catch(() => {});
    });
    expect((await kit.undo(setId)).undone).toBe(1);
    expect((await read(id)).name).toBe('Garden');
  });
});
