import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../tools/testing/app.ts';
import type { CallError } from '../../../tools/testing/client.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';

const files = {
  'addon.ts': `import { defineAddon } from 'pergola';
import { lose } from './jobs/lose.ts';
import { Note } from './models/note.ts';
import * as routes from './routes/notes.ts';
export default defineAddon({
  name: 'hasty', version: '1.0.0', title: 'Hasty', summary: 'Forgets to await', category: 'Website', depends: ['base'],
  models: [Note], routes: Object.values(routes), jobs: [lose],
});
`,
  'models/note.ts': `import { f, model } from 'pergola';
export class Note extends model('hasty.note', { name: f.char({ label: 'Name' }) }, { label: 'Note' }) {
  async rename(ids, name) {
    const [row] = await this.read(ids, { select: { name: true } });
    await this.write(ids, { name: row?.name + name });
  }
  override async afterCreate(ids, values) {
    if (values[0]?.name === 'hook') this.write(ids, { name: 'from a hook' });
  }
}
`,
  'routes/notes.ts': `import { route } from 'pergola';
import { lose } from '../jobs/lose.ts';
import { Note } from '../models/note.ts';
const options = { auth: 'public', writes: true };
export const lost = route.rpc('/hasty/lost', { ...options, name: 'hasty.lost' }, async ({ ctx }) => {
  ctx
    .sudo()
    .model(Note)
    .create({ name: 'lost' });
});
export const method = route.rpc('/hasty/method', { ...options, name: 'hasty.method' }, async ({ ctx }) => {
  const id = await ctx.sudo().model(Note).create({ name: 'a' });
  ctx.sudo().model(Note).rename([id], 'b');
});
export const helper = route.rpc('/hasty/helper', { ...options, name: 'hasty.helper' }, async ({ ctx }) => {
  await inHelper(ctx);
});
async function inHelper(ctx) {
  [1, 2].forEach((n) => {
    ctx.sudo().model(Note).create({ name: 'helper' + n });
  });
}
export const hook = route.rpc('/hasty/hook', { ...options, name: 'hasty.hook' }, async ({ ctx }) => {
  await ctx.sudo().model(Note).create({ name: 'hook' });
});
export const savepoint = route.rpc('/hasty/savepoint', { ...options, name: 'hasty.savepoint' }, async ({ ctx }) => {
  await ctx.savepoint(async () => {
    ctx.sudo().model(Note).create({ name: 'savepoint' });
  });
});
export const setting = route.rpc('/hasty/setting', { ...options, name: 'hasty.setting' }, async ({ ctx }) => {
  ctx.jobs.enqueue(lose, {});
});
export const sql = route.rpc('/hasty/sql', { ...options, name: 'hasty.sql' }, async ({ ctx }) => {
  ctx.db('hasty_note').insert({ name: 'sql' }).then(() => {});
});
export const unknown = route.rpc('/hasty/unknown', { ...options, name: 'hasty.unknown' }, async ({ ctx }) => {
  await ctx.sudo().model(Note).find([['nam', '=', 'x']], { select: { name: true } });
});
export const kept = route.rpc('/hasty/kept', { ...options, name: 'hasty.kept' }, async ({ ctx }) => {
  await Promise.all(['x', 'y'].map((name) => ctx.sudo().model(Note).create({ name })));
});
`,
  'jobs/lose.ts': `import { job, z } from 'pergola';
import { Note } from '../models/note.ts';
export const lose = job('hasty.lose', {
  label: 'Lose', input: z.object({}), attempts: 1,
  run: async ({ write }) => {
    await write(async (ctx) => {
      ctx.model(Note).create({ name: 'job' });
    });
  },
});
`,
};

eachDatabase('A call that nothing awaits', (database) => {
  const root = mkdtempSync(path.join(tmpdir(), 'hasty-'));
  let app: TestApp;
  const names = () =>
    app.read(async (ctx) => {
      const rows = await ctx.modelNamed('hasty.note').find([], { select: { name: true }, order: 'id' });
      return rows.map(({ name }) => name);
    });
  const problem = async (name: string): Promise<string> => {
    const error = await app.rpc(`/hasty/${name}`).then(
      () => null,
      (refusal: CallError) => refusal,
    );
    return error ? `${error.data.message}\n${String(error.data.debug)}` : '';
  };

  beforeAll(() => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.join(root, 'hasty', path.dirname(file)), { recursive: true });
      writeFileSync(path.join(root, 'hasty', file), text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  describe('in development and tests', () => {
    beforeAll(async () => {
      app = await createTestApp({ addons: ['hasty'], roots: [root], database, dev: true });
    });
    afterAll(() => app.close());

    test('fails the write of a test, with the line of the call', async () => {
      const write = app.write(async (ctx) => {
        void ctx.modelNamed('hasty.note').create({ name: 'test' });
      });
      await expect(write).rejects.toThrow(/create of hasty\.note.*core\/app\/tests\/forgotten-await\.test\.ts:\d+/);
      expect(await names()).toEqual([]);
    });

    test.each([
      ['lost', 'routes/notes.ts:9', 'create of hasty.note'],
      ['method', 'routes/notes.ts:13', 'read of hasty.note'],
      ['helper', 'routes/notes.ts:20', 'create of hasty.note'],
      ['hook', 'models/note.ts:8', 'write of hasty.note'],
      ['savepoint', 'routes/notes.ts:28', 'create of hasty.note'],
      ['setting', 'routes/notes.ts:32', 'insert in core_job'],
      ['sql', 'hasty.sql', 'insert in hasty_note'],
    ])('fails the request “%s” and names %s', async (name, place, operation) => {
      const message = await problem(name);
      expect(message).toContain(place);
      expect(message).toContain(operation);
      expect(await names()).toEqual([]);
    });

    test('fails a job', async () => {
      await app.write(async (ctx) => {
        await ctx
          .db('core_job')
          .insert({ name: 'hasty.lose', input: '{}', run_at: new Date(0), create_date: new Date(0) });
      });
      await app.runJobs();
      const [job] = await app.read((ctx) => ctx.db('core_job').where({ name: 'hasty.lose' }).select('error'));
      expect(job?.error).toMatch(/create of hasty\.note.*jobs\/lose\.ts:7/);
      expect(await names()).toEqual([]);
    });

    test('names the author’s line for what the core refuses, its own calls only counted', async () => {
      const message = await problem('unknown');
      expect(message).toMatch(/hasty routes\/notes\.ts:38: .*no field “nam”/);
      const calls = message.split('\n').filter((line) => /^\s+(at|…)/.test(line));
      expect(calls[0]).toMatch(/… \d+ calls within Pergola/);
      expect(calls[1]).toContain('routes/notes.ts:38');
      expect(message).not.toContain('packages/orm');
    });

    test('is none where several are awaited together', async () => {
      expect(await problem('kept')).toBe('');
      expect(await names()).toEqual(['x', 'y']);
      await app.write(async (ctx) => {
        const notes = ctx.modelNamed('hasty.note');
        await notes.unlink(await notes.search([]));
      });
    });
  });

  test('is saved and logged with its route in production', async () => {
    await using site = await createTestApp({
      addons: ['hasty'],
      roots: [root],
      database,
      env: { NODE_ENV: 'development' },
    });
    const logged = jest.spyOn(site.application.log, 'error');
    app = site;
    for (const name of ['lost', 'method', 'hook']) expect(await problem(name)).toBe('');
    expect(await names()).toEqual(['lost', 'ab', 'from a hook']);
    expect(logged.mock.calls.map(([details]) => details)).toMatchObject(
      ['lost', 'method', 'hook'].map((name) => ({ transaction: expect.stringContaining(`hasty.${name}`) })),
    );
  });
});
