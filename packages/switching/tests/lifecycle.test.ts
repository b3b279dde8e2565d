import type { Ctx } from '../../../core/context/context.ts';
import { inEnglish } from '../../../core/kernel/sentence.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { Note } from '../../../tools/testing/fixtures/fx_layers_a/models.ts';
import { until } from '../../../tools/testing/until.ts';
import { rowsOf } from '../../db/run.ts';
import { databaseSession } from '../../db/session.ts';
import { routes } from '../../http/index.ts';
import { readSwitchLog } from '../switch-log.ts';
import { type Node, openNode } from './harness.ts';

const createNote = (ctx: Ctx, name: string): Promise<number> => ctx.model(Note).create({ name });

eachDatabase('Switching addons', (dialect) => {
  let made: TestDatabase;
  let node: Node;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    node = await openNode(made.url);
  });
  afterEach(async () => {
    await node.close();
    await made.drop();
  });
  const served = () => node.holder.current.addons.map(({ name }) => name);

  test('enables at the first start what is asked for and what that needs', async () => {
    const { firstStart } = await node.lifecycle.start({ install: ['fx_layers_b'] });
    expect(firstStart).toBe(true);
    expect(served()).toEqual(['fx_layers_a', 'fx_layers_b']);
    const id = await node.write((ctx) => createNote(ctx, 'one'));
    expect(
      await node.read((ctx) => ctx.modelNamed('fx.note').get(id, { select: { name: true, state: true } })),
    ).toMatchObject({ name: 'one', state: 'draft' });
  });

  test('enables, disables and enables again; the data stays', async () => {
    await node.lifecycle.start({ install: ['fx_hello'] });
    const before = await node.database.schema.describe();
    const plan = await node.lifecycle.enable(['fx_layers_b'], { by: 'admin' });
    expect(plan.items.map(({ sentence }) => inEnglish(sentence))).toEqual(
      expect.arrayContaining([
        'New record types: Note.',
        'New address: GET /fx/note',
        'Changes the template fx_layers_a.note.',
      ]),
    );
    const id = await node.write((ctx) => createNote(ctx, 'kept'));
    await expect(node.lifecycle.disable(['fx_layers_a'])).rejects.toMatchObject({ params: { others: 'Layers, B' } });
    await node.lifecycle.disable(['fx_layers_a'], { yes: true });
    expect(served()).toEqual(['fx_hello']);
    expect(node.holder.current.get(routes).match('GET', '/fx/note')).toBeNull();
    await node.lifecycle.enable(['fx_layers_b']);
    expect(await node.read((ctx) => ctx.modelNamed('fx.note').get(id, { select: { name: true } }))).toMatchObject({
      name: 'kept',
    });
    await node.lifecycle.uninstall('fx_layers_a', { confirm: 'fx_layers_a' });
    expect(served()).toEqual(['fx_hello']);
    expect(await node.database.schema.describe()).toEqual(before);
    expect(await node.lifecycle.list()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'fx_layers_a', state: 'uninstalled', version: null })]),
    );
  });

  test('tells how far it is, plans without doing, and lets other addons speak', async () => {
    await node.lifecycle.start({ install: ['fx_slow_enable'] });
    const steps: string[] = [];
    const before = { number: node.holder.current.number, schema: await node.database.schema.describe() };
    const plan = await node.lifecycle.enable(['fx_hello'], {
      dryRun: true,
      onProgress: ({ step }) => steps.push(step),
    });
    expect(
      plan.items
        .filter(({ topic }) => topic === 'consequence')
        .map(({ addon, sentence, data }) => `${addon}: ${inEnglish(sentence)}: ${data.count}`),
    ).toEqual(['fx_slow_enable: Slow records that know of: enable: 1']);
    expect({ number: node.holder.current.number, schema: await node.database.schema.describe() }).toEqual(before);
    expect(steps).toEqual([]);
    await node.lifecycle.enable(['fx_hello'], { onProgress: ({ step }) => steps.push(step) });
    expect(steps).toEqual(['lock', 'plan', 'build', 'database', 'swap', 'done']);
    expect(await node.lifecycle.enable(['fx_hello'])).toMatchObject({ addons: [] });
  });

  test('writes down who did what, and how it ended', async () => {
    await node.lifecycle.start({ install: ['fx_hello'] });
    await node.lifecycle.enable(['fx_host'], { by: 'admin' });
    await node.lifecycle.enable(['fx_route_twice'], { by: 'editor' }).catch(() => {});
    const past = await readSwitchLog(node.database, 3);
    expect(past).toMatchObject([
      { action: 'enable', addons: ['fx_route_twice'], result: 'failed', by: 'editor' },
      { action: 'enable', addons: ['fx_host'], result: 'done', by: 'admin' },
      { action: 'enable', result: 'done', by: 'first start' },
    ]);
    expect(past[0]?.problems[0]?.message).toMatch(/exists in addon fx_hello/);
  });

  test('takes the other nodes along, and removes nothing before they are done with it', async () => {
    await node.lifecycle.start({ install: ['fx_hello'] });
    const other = await openNode(made.url, { name: 'other' });
    try {
      await other.lifecycle.start();
      for (const one of [node, other]) {
        await one.nodes.start();
        one.lifecycle.follower.start();
      }
      await node.lifecycle.enable(['fx_layers_a']);
      await until(() => other.holder.current.number === node.holder.current.number);
      const stay = other.holder.acquire();
      let ended = false;
      const leaving = node.lifecycle.uninstall('fx_layers_a', { confirm: 'fx_layers_a' }).then(() => {
        ended = true;
      });
      await until(() => other.holder.current.addons.every(({ name }) => name !== 'fx_layers_a'));
      expect(ended).toBe(false);
      expect(await other.read((ctx) => countNotes(ctx))).toBe(0);
      stay.release();
      await leaving;
      expect(other.holder.current.addons.map(({ name }) => name)).toEqual(['fx_hello']);
    } finally {
      await other.close();
    }
  });
});

/** Rows of a table that is there as long as somebody may be reading it. */
async function countNotes(ctx: Ctx): Promise<number> {
  const { database } = ctx.get(databaseSession);
  const [row] = await rowsOf(database.reader, database.knex('fx_note').count({ rows: '*' }));
  return Number(row?.rows);
}
