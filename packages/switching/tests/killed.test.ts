import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, eachDatabase } from '../../../tools/testing/databases.ts';
import { changesOf, rowsOf } from '../../db/run.ts';
import type { Database } from '../../db/types.ts';
import { type Node, openNode } from './harness.ts';

const SHARED = 'fx_shared_columns';
/** Twenty when it matters; each costs the start of a process. */
const rounds = Number(process.env.KILL_ROUNDS ?? 5);

/** Lets a process switch until it is killed, at a moment it cannot know. */
async function killOne(url: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'switch-process.ts'), url, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const exited = once(child, 'exit');
  if (child.stdout) expect(String(await Promise.race([once(child.stdout, 'data'), exited]))).toBe('ready\n');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1200));
  child.kill('SIGKILL');
  await exited;
}

/** The lease that the killed process held, if any, ends no more. */
async function leaseForEver(database: Database): Promise<void> {
  const { knex, codec } = database;
  const [now, never] = [new Date(), new Date('2100-01-01')].map((at) => codec.encode('datetime', at));
  const held = knex('core_lease').where('until', '>', now as number);
  await database.write((transaction) => changesOf(transaction, held.update({ until: never })));
}

/** What is there of the addon. */
async function state(node: Node) {
  const rows = await rowsOf(node.database.reader, node.database.knex('ir_module').select().where({ name: SHARED }));
  const ids = await rowsOf(
    node.database.reader,
    node.database.knex('core_external_id').select().where({ addon: SHARED }),
  );
  return {
    state: String(rows[0]?.state ?? 'uninstalled'),
    externalIds: ids.length,
    schema: await node.database.schema.describe(),
  };
}

eachDatabase('A process that is killed while it switches an addon', (dialect) => {
  test('leaves the addon fully there or fully gone, and the next one goes on', async () => {
    const made = await createTestDatabase(dialect);
    const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
    let node = await openNode(made.url, { dataDir });
    await node.lifecycle.start({ install: ['fx_host'] });
    const without = await state(node);
    await node.lifecycle.enable([SHARED], { demo: true });
    await node.finish();
    const there = await state(node);
    await node.lifecycle.uninstall(SHARED, { confirm: SHARED });
    await node.close();

    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      await killOne(made.url, dataDir);
      node = await openNode(made.url, { dataDir });
      await leaseForEver(node.database);
      await node.lifecycle.start();
      // Isn't told that a switch is running: nothing waits for the lease of a process that is gone.
      await node.lifecycle.refresh();
      await node.finish();
      const found = await state(node);
      seen.add(found.state);
      const expected = found.state === 'uninstalled' ? without : there;
      expect(found.schema).toEqual(expected.schema);
      expect(found.externalIds).toBe(expected.externalIds);
      expect(node.holder.current.addons.some(({ name }) => name === SHARED)).toBe(found.state === 'enabled');
      await node.close();
    }
    if (rounds >= 10) expect(seen.size).toBeGreaterThan(1);
    // A half written archive never has the name of a whole one.
    for (const folder of readdirSync(join(dataDir, 'archives')).filter((name) => !name.endsWith('.unfinished'))) {
      expect(readdirSync(join(dataDir, 'archives', folder)).sort()).toEqual([
        'about.json',
        'shared.jsonl',
        'tables.jsonl',
      ]);
    }
    await made.drop();
  });
});
