import type { Ctx } from '../../context.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../testing/databases.ts';
import { Note } from '../../testing/fixtures/fx_layers_a/models.ts';
import { inEnglish } from '../plan.ts';
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
    const before = await node.database.schema.fingerprint();
    const plan = await node.lifecycle.enable(['fx_layers_b'], { by: 'admin' });
    expect(plan.items.map(({ sentence }) => inEnglish(sentence))).toEqual(
      expect.arrayContaining([
        'Creates the table fx_note with 8 columns.',
        'New address: GET /fx/note',
        'Changes the template fx_layers_a.note.',
      ]),
    );
    const id = await node.write((ctx) => createNote(ctx, 'kept'));
    await expect(node.lifecycle.disable(['fx_layers_a'])).rejects.toMatchObject({ params: { others: 'Layers, B' } });
    await node.lifecycle.disable(['fx_layers_a'], { yes: true });
    expect(served()).toEqual(['fx_hello']);
    expect(node.holder.current.routes.match('GET', '/fx/note')).toBeNull();
    await node.lifecycle.enable(['fx_layers_b']);
    expect(await node.read((ctx) => ctx.modelNamed('fx.note').get(id, { select: { name: true } }))).toMatchObject({
      name: 'kept',
    });
    await node.lifecycle.uninstall('fx_layers_a', { confirm: 'fx_layers_a' });
    expect(served()).toEqual(['fx_hello']);
    expect(await node.database.schema.fingerprint()).toBe(before);
    expect(await node.lifecycle.list()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'fx_layers_a', state: 'uninstalled', version: null })]),
    );
  });
});
