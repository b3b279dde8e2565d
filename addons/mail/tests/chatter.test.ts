import path from 'node:path';
import { Attachment, Partner } from '@pergola/base';
import type { ThreadView } from '@pergola/web';
import type { Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { Topic } from './fixtures/fx_follow/addon.ts';

const roots = [path.join(import.meta.dirname, 'fixtures')];

someDatabase('What stands beside a record', (database) => {
  let app: TestApp;
  let admin: Client;
  let editor: Client;
  let topic: Id;
  let secret: Id;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true });
    admin = await app.as('admin');
    editor = await app.as('editor');
    [topic = 0, secret = 0] = await app.write((ctx) =>
      ctx.model(Topic).create([{ name: 'The garden' }, { name: 'Salaries', admins: true }]),
    );
  });
  afterAll(() => app.close());

  const call = <T>(client: Client, method: string, input: object): Promise<T> =>
    client.rpc('/web/dataset/call_kw', { model: 'mail.message', method, args: [], kwargs: input });
  const read = (client: Client, id: Id, model = 'fx_follow.topic') =>
    call<ThreadView>(client, 'thread_read', { model, id });

  it('holds messages and notes with their files, and makes who speaks a follower', async () => {
    const about = { model: 'fx_follow.topic', id: topic };
    const file = await editor.rpc<Id>('/web/dataset/call_kw', {
      model: 'ir.attachment',
      method: 'create',
      args: [{ name: 'plan.txt', datas: Buffer.from('A plan').toString('base64') }],
      kwargs: {},
    });
    await call(editor, 'thread_post', {
      ...about,
      body: '<p>Hello<script>alert(1)</script></p>',
      attachment_ids: [file],
    });
    await call(editor, 'thread_post', { ...about, body: '<p>Between us</p>', internal: true });
    const view = await read(admin, topic);
    expect(view.messages.map(({ body, internal }) => [body, internal])).toEqual([
      ['<p>Between us</p>', true],
      ['<p>Hello</p>', false],
    ]);
    expect(view.messages[1]?.files).toEqual([{ id: file, name: 'plan.txt', mimetype: expect.any(String), size: 6 }]);
    expect(view.messageCount).toBe(2);
    expect(view.followers.map(({ me }) => me)).toEqual([false]);
    expect((await read(editor, topic)).following).toBe(true);
    await expect(call(editor, 'thread_post', { ...about, body: '<p> &nbsp; </p>' })).rejects.toThrow('Write something');
  });

  it('is for employees who may read the record; for others it is not there', async () => {
    const portal = await app.as('portal');
    await expect(read(portal, topic)).rejects.toThrow(/employees|employés/);
    await expect(read(editor, secret)).rejects.toThrow('doesn’t exist');
    await expect(read(editor, 999_999)).rejects.toThrow('doesn’t exist');
    await expect(read(editor, 1, 'ir.sequence')).rejects.toThrow('doesn’t exist');
    for (const [method, more] of [
      ['thread_post', { body: 'x' }],
      ['thread_follow', { on: true }],
      ['thread_restore', { change: 1 }],
    ] as const) {
      await expect(call(editor, method, { model: 'fx_follow.topic', id: secret, ...more })).rejects.toThrow(
        'doesn’t exist',
      );
      await expect(call(portal, method, { model: 'fx_follow.topic', id: topic, ...more })).rejects.toThrow();
    }
    expect((await read(admin, secret)).messages).toEqual([]);
  });

  it('refuses files that the caller may not read', async () => {
    const hidden = await app.write((ctx) =>
      ctx.model(Attachment).create({ name: 'pay.txt', res_model: 'fx_follow.topic', res_id: secret }),
    );
    const about = { model: 'fx_follow.topic', id: topic, body: 'Look', attachment_ids: [hidden] };
    await expect(call(editor, 'thread_post', about)).rejects.toThrow('don’t have access to these files');
  });

  it('is followed by oneself, and by others whom one who may change the record names', async () => {
    const about = { model: 'fx_follow.topic', id: topic };
    const partner = await app.write((ctx) => ctx.model(Partner).create({ name: 'Fatou' }));
    await call(admin, 'thread_follow', { ...about, on: true, partner_ids: [partner] });
    const { followers } = await read(admin, topic);
    expect(followers.map(({ name }) => name)).toContain('Fatou');
    expect(JSON.stringify(followers)).not.toContain('@');
    await call(admin, 'thread_follow', { ...about, on: false, partner_ids: [partner] });
    expect((await read(admin, topic)).followers.map(({ name }) => name)).not.toContain('Fatou');
    await call(editor, 'thread_follow', { ...about, on: false });
    expect((await read(editor, topic)).following).toBe(false);
  });

  it('tells what was changed, by whom, and puts a value back', async () => {
    const id = await admin.rpc<Id>('/web/dataset/call_kw', {
      model: 'res.partner',
      method: 'create',
      args: [{ name: 'Ada', email: 'ada@example.com' }],
      kwargs: {},
    });
    const write = (vals: object) =>
      admin.rpc('/web/dataset/call_kw', { model: 'res.partner', method: 'write', args: [[id], vals], kwargs: {} });
    await write({ name: 'Ada L.' });
    await write({ email: false });
    const { changes, may } = await read(admin, id, 'res.partner');
    expect(may.write).toBe(true);
    expect(changes.map(({ label, before, after, restorable }) => [label, before, after, restorable])).toEqual([
      ['Email', 'ada@example.com', '', true],
      ['Name', 'Ada', 'Ada L.', true],
    ]);
    expect(changes[0]?.by).toBeTruthy();
    // Somebody who only reads contacts sees the history, and cannot turn it back.
    const seen = await read(editor, id, 'res.partner');
    expect(seen.changes.every(({ restorable }) => !restorable)).toBe(true);
    const change = changes[1]?.id;
    await expect(call(editor, 'thread_restore', { model: 'res.partner', id, change })).rejects.toThrow(
      'You don’t have permission to edit “Contact” (res.partner).',
    );
    await expect(call(admin, 'thread_restore', { model: 'res.partner', id: id + 1, change })).rejects.toThrow(
      'doesn’t exist',
    );
    await call(admin, 'thread_restore', { model: 'res.partner', id, change });
    const [row] = await app.read((ctx) => ctx.model(Partner).read([id], { select: { name: true, email: true } }));
    expect(row).toMatchObject({ name: 'Ada', email: null });
    expect((await read(admin, id, 'res.partner')).changes[0]).toMatchObject({ before: 'Ada L.', after: 'Ada' });
  });

  it('the trail itself is for administrators', async () => {
    const about = { model: 'ir.audit', method: 'search_read', args: [[]], kwargs: {} };
    await expect(editor.rpc('/web/dataset/call_kw', about)).rejects.toThrow();
    expect(await admin.rpc('/web/dataset/call_kw', about)).not.toEqual([]);
  });
});
