import { type Client, createTestApp, eachDatabase, refusal, type TestApp } from 'pergola/testing';

interface Change {
  readonly id: number;
  readonly by: string;
  readonly from: string;
  readonly records: readonly {
    readonly label: string;
    readonly name: string;
    readonly kind: string;
    readonly id: number;
  }[];
  readonly undone: boolean;
  readonly undoOf: number | null;
}
interface Undo {
  readonly undone: number;
  readonly conflicts: number;
  readonly refused: readonly string[];
}

eachDatabase('Changes in the settings', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], database, demo: true });
    admin = await app.as('admin');
  });
  afterAll(() => app?.close());

  const call = <T>(method: string, ...args: unknown[]) =>
    admin.rpc<T>('/web/dataset/call_kw', { model: 'res.partner', method, args, kwargs: {} });
  const latest = async () => (await admin.rpc<Change[]>('/web/backend/changes', {}))[0] as Change;
  const nameOf = async (id: number) => (await call<{ name: string }[]>('read', [id], ['name']))[0]?.name;

  test('list who changed what, try it out, and take it back', async () => {
    const id = await call<number>('create', { name: 'Ada' });
    await call('write', [id], { name: 'Ada Lovelace' });
    const change = await latest();
    expect(change).toMatchObject({
      by: 'admin',
      from: 'res.partner.write',
      records: [{ label: 'Contact', name: 'Ada Lovelace', kind: 'changed', id }],
      undone: false,
    });
    expect(await admin.rpc<Undo>('/web/backend/changes/try', { id: change.id })).toMatchObject({
      undone: 1,
      conflicts: 0,
    });
    expect(await nameOf(id)).toBe('Ada Lovelace');
    expect(await admin.rpc<Undo>('/web/backend/changes/undo', { id: change.id, partial: false })).toMatchObject({
      undone: 1,
    });
    expect(await nameOf(id)).toBe('Ada');
    const [undo, before] = await admin.rpc<Change[]>('/web/backend/changes', {});
    expect([undo?.undoOf, before?.undone]).toEqual([change.id, true]);
    await admin.rpc('/web/backend/changes/undo', { id: undo?.id, partial: false });
    expect(await nameOf(id)).toBe('Ada Lovelace');
  });

  test('bring back what was deleted, and name what changed since', async () => {
    const [first = 0, second = 0] = [
      await call<number>('create', { name: 'One' }),
      await call<number>('create', { name: 'Two' }),
    ];
    await call('write', [first, second], { comment: 'Both' });
    const both = await latest();
    await call('write', [second], { comment: 'Later' });
    const tried = await admin.rpc<Undo>('/web/backend/changes/try', { id: both.id });
    expect(tried).toMatchObject({ undone: 1, conflicts: 1, refused: ['Contact “Two”: Notes'] });
    expect(await admin.rpc<Undo>('/web/backend/changes/undo', { id: both.id, partial: false })).toMatchObject({
      undone: 0,
    });
    expect(await admin.rpc<Undo>('/web/backend/changes/undo', { id: both.id, partial: true })).toMatchObject({
      undone: 1,
    });
    await call('unlink', [first]);
    await admin.rpc('/web/backend/changes/undo', { id: (await latest()).id, partial: false });
    expect(await nameOf(first)).toBe('One');
  });

  test('just made are undone by whoever made them, unless they changed since', async () => {
    const id = await call<number>('create', { name: 'Kept' });
    const rename = (name: string, change_key: string) =>
      admin.rpc('/web/dataset/call_kw', {
        model: 'res.partner',
        method: 'write',
        args: [[id], { name }],
        kwargs: { context: { change_key } },
      });
    await rename('Renamed', 'first');
    await rename('Renamed again', 'second');
    expect(await admin.rpc<Undo>('/web/backend/undo', { changeKey: 'first' })).toMatchObject({
      undone: 0,
      refused: ['Contact “Renamed again”: Name'],
    });
    const editor = await app.as('editor');
    expect((await refusal(editor.rpc('/web/backend/undo', { changeKey: 'second' }))).message).toBe(
      'There is nothing to undo.',
    );
    expect(await admin.rpc<Undo>('/web/backend/undo', { changeKey: 'second' })).toMatchObject({ undone: 1 });
    expect(await nameOf(id)).toBe('Renamed');
  });

  test('of one person or record are listed alone', async () => {
    const id = await call<number>('create', { name: 'Mine' });
    const alone = await admin.rpc<Change[]>('/web/backend/changes', { model: 'res.partner', id });
    expect(alone.map(({ records }) => records[0]?.name)).toEqual(['Mine']);
    expect(await admin.rpc<Change[]>('/web/backend/changes', { by: 'nobody' })).toEqual([]);
  });

  test('are for administrators', async () => {
    const portal = await app.as('portal');
    await refusal(portal.rpc('/web/backend/changes', {}));
    await refusal(portal.rpc('/web/backend/changes/undo', { id: 1, partial: false }));
  });
});
