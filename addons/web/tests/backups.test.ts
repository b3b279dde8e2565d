import { createHash } from 'node:crypto';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AuditEntry } from '@pergola/base';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { makeUser } from './kit.ts';

interface Shown {
  backups: {
    name: string;
    size: number;
    sha256: string;
    rows: number;
    files: number;
    drill: { ok: boolean; rows: number; problem: string } | null;
  }[];
  isProved: boolean;
  isMaking: boolean;
  failed: string | null;
}

eachDatabase('Backups on the screen', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    await makeUser(app, 'boss', { groups: ['base.group_system'], password: 'a long enough word' });
    admin = await app.as('boss');
    await confirm(admin);
    await app.write((ctx) => ctx.files.put(Buffer.from('hello'), { name: 'a.txt', mimetype: 'text/plain' }));
  });
  afterAll(() => app.close());
  const call = (name = '', params: object = {}, client = admin) =>
    client.rpc<Shown>(`/web/backend/backups${name && `/${name}`}`, params);
  const confirm = (client: Client) => client.rpc('/web/backend/confirm', { password: 'a long enough word' });
  const newest = async () => {
    const [backup] = (await call()).backups;
    if (!backup) throw new Error('no backup');
    return backup;
  };
  const makeBackup = async () => {
    expect((await call('make')).isMaking).toBe(true);
    await app.runJobs();
    expect((await call()).isMaking).toBe(false);
    return newest();
  };

  it('is asked for by administrators who have just shown who they are', async () => {
    await expect(call('', {}, await app.as('employee'))).rejects.toThrow();
    const client = await app.as('boss');
    expect((await call('', {}, client)).isProved).toBe(false);
    await expect(call('make', {}, client)).rejects.toThrow(/Confirm your identity first/);
    await expect(client.rpc('/web/backend/confirm', { password: 'wrong' })).rejects.toThrow();
    await confirm(client);
    expect((await call('', {}, client)).isProved).toBe(true);
    expect(await makeBackup()).toMatchObject({ files: 1, drill: null });
  });

  it('is taken away as it is, by nobody else, and the audit log says so', async () => {
    const { name, size, sha256 } = await makeBackup();
    const address = `/web/backend/backups/${name}`;
    expect((await app.visitor().get(address)).status).toBe(401);
    expect((await (await app.as('employee')).get(address)).status).toBe(404);
    expect((await (await app.as('admin')).get(address)).status).toBe(403);
    const taken = await admin.get(address);
    expect([taken.status, taken.headers.get('content-disposition')]).toEqual([200, `attachment; filename="${name}"`]);
    expect(taken.headers.get('content-length')).toBe(String(size));
    const whole = await fetch(app.url + address, { headers: { Cookie: admin.cookieHeader } });
    expect(
      createHash('sha256')
        .update(await whole.bytes())
        .digest('hex'),
    ).toBe(sha256);
    const noted = await app.read((ctx) =>
      ctx.model(AuditEntry).find([['kind', '=', 'backup_taken']], { select: { field: true } }),
    );
    expect(noted.map(({ field }) => field)).toEqual([name, name]);
  });

  it('is restored for trial and compared; a damaged one is found out', async () => {
    const { name, rows } = await makeBackup();
    const { backups } = await call();
    await call('try', { name });
    await app.runJobs();
    expect((await newest()).drill).toMatchObject({ ok: true, rows, problem: '' });
    const folder = path.join(app.config.dataDir, 'backups');
    expect((await readdir(folder)).filter((one) => one.startsWith('drill'))).toEqual([]);
    await truncate(path.join(folder, name), 500);
    await call('try', { name });
    await app.runJobs();
    expect((await newest()).drill).toMatchObject({ ok: false, problem: expect.stringContaining('damaged') });
    await makeUser(app, 'chef', { groups: ['base.group_system'], lang: 'fr_FR' });
    expect((await call('', {}, await app.as('chef'))).backups[0]?.drill?.problem).toContain('endommagé');
    // The manifest of a backup may be damaged, too.
    for (const end of ['', '.json']) await writeFile(path.join(folder, `20200101-000000-abcdef.backup${end}`), '{');
    expect((await call()).backups).toHaveLength(backups.length);
    const health = await admin.rpc<{ backup: { drill: { ok: boolean } } }>('/web/backend/health', {});
    expect(health.backup.drill.ok).toBe(false);
  });

  it('says that the last one came to nothing', async () => {
    expect((await call()).failed).toBeNull();
    const { database: db } = app;
    const run_at = db.codec.encode('datetime', new Date());
    const row = { name: 'web.scheduled_backup', state: 'dead', attempt: 2, error: 'no space left', run_at };
    const insert = db.knex('core_job').insert({ ...row, create_date: run_at });
    await db.write((tx) => tx.query(insert.toSQL().toNative()));
    expect((await call()).failed).toBe('no space left');
    await makeBackup();
    expect((await call()).failed).toBeNull();
  });

  it('has the newest first, of two of one second, too', async () => {
    const folder = path.join(app.config.dataDir, 'backups');
    const { name } = await makeBackup();
    const info = JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8'));
    const next = name.replace(/[0-9a-f]{6}(?=\.backup$)/, '000000');
    await writeFile(path.join(folder, next), '');
    const at = new Date(Date.parse(info.at) + 1).toISOString();
    await writeFile(path.join(folder, `${next}.json`), JSON.stringify({ ...info, name: next, at }));
    expect((await newest()).name).toBe(next);
    for (const end of ['', '.json']) await rm(path.join(folder, next + end));
  });

  it('keeps as many as the setting says', async () => {
    await admin.rpc('/web/backend/settings/change', { values: { 'web.backup_keep': 1 } });
    await makeBackup();
    const { name } = await makeBackup();
    expect((await call()).backups).toMatchObject([{ name }]);
    await call('delete', { name });
    expect((await call()).backups).toEqual([]);
  });
});
