import { f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { Id } from '../fields.ts';
import { createModelKit, type ModelKit, openToAll } from './kit.ts';

class Folder extends model('tree.folder', {
  name: f.char(),
  parent_id: f.many2one('tree.folder', { label: 'Parent folder' }),
  child_ids: f.one2many('tree.folder', 'parent_id'),
}) {}
declare module 'pergola' {
  interface Models {
    'tree.folder': Folder;
  }
}

eachDatabase('A tree', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, openToAll([{ name: 'tree', models: [Folder] }]));
  });
  afterAll(() => kit.close());

  /** Folders below each other, the top first. */
  const chain = (length: number): Promise<Id[]> =>
    kit.write(async (ctx) => {
      const ids: Id[] = [];
      for (let n = 0; n < length; n++) ids.push(await ctx.model(Folder).create({ parent_id: ids.at(-1) ?? null }));
      return ids;
    });
  const move = (id: Id, parent: Id) => kit.write((ctx) => ctx.model(Folder).write(id, { parent_id: parent }));
  /** Folders from which the way up never ends. */
  const circling = async (ids: readonly Id[]): Promise<Id[]> => {
    const rows = await kit
      .ctx()
      .model(Folder)
      .read(ids, { select: { parent_id: true } });
    const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
    return ids.filter((start) => {
      let id: Id | null | undefined = start;
      for (let steps = 0; id && steps <= ids.length; steps++) id = parents.get(id);
      return Boolean(id);
    });
  };

  test('has no record below itself, by the parent, by the children or by a new record', async () => {
    const [top = 0, middle = 0, bottom = 0] = await chain(3);
    const refused = {
      code: 'core.circular_records',
      fields: { parent_id: 'A record can’t be its own parent. Choose something else for “Parent folder”.' },
    };
    for (const id of [top, middle, bottom]) await expect(move(top, id)).rejects.toMatchObject(refused);
    const folders = (work: 'write' | 'create') =>
      kit.write<unknown>((ctx) =>
        work === 'write'
          ? ctx.model(Folder).write(bottom, { child_ids: [{ link: top }] })
          : ctx.model(Folder).create({ parent_id: bottom, child_ids: [{ link: top }] }),
      );
    await expect(folders('write')).rejects.toMatchObject({ code: 'core.invalid_values' });
    await expect(folders('create')).rejects.toMatchObject({ code: 'core.invalid_values' });
    await move(bottom, top);
    expect(await circling([top, middle, bottom])).toEqual([]);
  });

  test('has none when two are moved at once, 20 rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const [a = 0, b = 0] = [...(await chain(1)), ...(await chain(1))];
      const moves = await Promise.allSettled([move(a, b), move(b, a)]);
      expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await circling([a, b])).toEqual([]);
    }
  });

  test('has none when the tops of two chains are moved below each other’s ends at once, 10 rounds', async () => {
    for (let round = 0; round < 10; round++) {
      const [left, right] = [await chain(4), await chain(4)];
      const moves = await Promise.allSettled([move(left[0] ?? 0, right[3] ?? 0), move(right[0] ?? 0, left[3] ?? 0)]);
      expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await circling([...left, ...right])).toEqual([]);
    }
  });
});
