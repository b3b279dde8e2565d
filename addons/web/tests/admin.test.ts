import { type Ctx, identityOf } from 'pergola';
import { systemHealth } from 'pergola/kernel';
import { queueAgain } from 'pergola/mail';
import { exportCatalog, importCatalog, translationCoverage } from 'pergola/pages';
import { createTestApp, openMailbox, someDatabase, until } from 'pergola/testing';
import { explainAccess, rightsMatrix } from '../services/admin/access.ts';
import { deleteDeadJobs, listJobs, retryJobs } from '../services/admin/jobs.ts';
import { listOutbox, readOutboxMail } from '../services/admin/outbox.ts';
import { endSessionsByNumber, listAllSessions } from '../services/admin/sessions.ts';
import { changeSettings, enabledSettings } from '../services/admin/settings.ts';
import { t } from '../texts.ts';

someDatabase('What administrators look after', (database) => {
  it('mails that failed are found, read and sent again; sent ones never', async () => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    mailbox.refuse(550);
    await app.form('/fx_mail', { email: 'ada@example.com', name: 'Ada' });
    await app.runJobs();
    mailbox.refuse(null);
    await app.form('/fx_mail', { email: 'bob@example.com', name: 'Bob' });
    await app.runJobs();
    const all = await app.read((ctx) => listOutbox(ctx));
    expect(all).toMatchObject({ total: 2, states: { waiting: 0, sent: 1, kept: 0, failed: 1 } });
    expect((await app.read((ctx) => listOutbox(ctx, { search: 'ADA@' }))).mails.map(({ email }) => email)).toEqual([
      'ada@example.com',
    ]);
    expect((await app.read((ctx) => listOutbox(ctx, { search: '%' }))).total).toBe(0);
    const [failed] = (await app.read((ctx) => listOutbox(ctx, { state: 'failed' }))).mails;
    expect(failed?.error).toContain('550');
    expect((await app.read((ctx) => readOutboxMail(ctx, failed?.id ?? 0)))?.html).toContain('Ada');
    const ids = all.mails.map(({ id }) => id);
    expect(await app.write((ctx) => queueAgain(ctx, ids))).toBe(1);
    await app.runJobs();
    expect(mailbox.received().map(({ subject }) => subject)).toEqual(['Bonjour Bob', 'Bonjour Ada']);
    await expect(app.read((ctx) => queueAgain(ctx, ids))).rejects.toThrow('needs a transaction');
    await mailbox.close();
  });

  it('dead jobs are shown first, run again or deleted; running ones are left alone', async () => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    const { database: db } = app;
    const time = db.codec.encode('datetime', new Date());
    const row = (name: string, state: string) => ({
      name,
      state,
      input: null,
      run_at: time,
      attempt: 3,
      create_date: time,
    });
    await db.write(async (tx) => {
      for (const one of [
        row('fx.waiting', 'waiting'),
        row('fx.dead', 'dead'),
        row('fx.gone', 'dead'),
        row('fx.on', 'running'),
      ])
        await tx.query(db.knex('core_job').insert(one).toSQL().toNative());
    });
    const before = await app.read((ctx) => listJobs(ctx));
    const mine = before.jobs.filter(({ name }) => name.startsWith('fx.'));
    expect(mine.map(({ name }) => name)).toEqual(['fx.dead', 'fx.gone', 'fx.on', 'fx.waiting']);
    const idOf = (name: string): number => mine.find((job) => job.name === name)?.id ?? 0;
    expect(await app.write((ctx) => retryJobs(ctx, [idOf('fx.dead'), idOf('fx.on')]))).toBe(1);
    expect(await app.write((ctx) => deleteDeadJobs(ctx, [idOf('fx.gone'), idOf('fx.waiting')]))).toBe(1);
    const after = await app.read((ctx) => listJobs(ctx));
    expect(after.jobs.find(({ name }) => name === 'fx.dead')).toMatchObject({ state: 'waiting', attempt: 0 });
    expect(after.states.dead).toBe(0);
  });

  it('sessions of everybody are listed, and ended but for the own one', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const client = await app.as('admin');
    await app.as('admin');
    const { sessions, total } = await app.read((ctx) => listAllSessions(ctx));
    expect(total).toBe(2);
    await app.write((ctx) =>
      endSessionsByNumber(
        ctx,
        sessions.map(({ number }) => number),
      ),
    );
    expect((await client.get('/web/account')).status).toBe(303);
    expect((await app.read((ctx) => listAllSessions(ctx))).total).toBe(0);
  });

  it('a decision about rights is explained list by list and rule by rule', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { portal, own, other } = await app.write(async (ctx) => {
      const [group] = await ctx.modelNamed('res.groups').search([['code', '=', 'base.group_portal']]);
      const partner = await ctx.modelNamed('res.partner').create({ name: 'Customer' });
      const stranger = await ctx.modelNamed('res.partner').create({ name: 'Stranger' });
      const user = await ctx
        .modelNamed('res.users')
        .create({ login: 'customer', partner_id: partner, group_ids: group ? [group] : [] });
      return { portal: user, own: partner, other: stranger };
    });
    const explain = (id: number, operation: 'read' | 'write' = 'read') =>
      app.read(async (ctx: Ctx) => {
        const user = await identityOf(ctx, portal);
        if (!user) throw new Error('There is no such user.');
        return explainAccess(ctx, { user, model: 'res.partner', operation, id });
      });
    const theirs = await explain(own);
    expect(theirs.allowed).toBe(true);
    expect(theirs.grants).toContainEqual({ group: 'base.group_portal', member: true });
    expect(theirs.rules.find(({ id }) => id === 'base.own_contacts')).toMatchObject({ applies: true, covers: true });
    expect(theirs.rules.find(({ id }) => id === 'base.all_contacts')).toMatchObject({ applies: false, covers: null });
    const hidden = theirs.hiddenFields.map(({ field }) => field);
    expect(hidden).toContain('comment');
    expect(hidden).not.toContain('name');
    const others = await explain(other);
    expect(others.allowed).toBe(false);
    expect(others.rules.find(({ id }) => id === 'base.own_contacts')).toMatchObject({ covers: false });
    expect((await explain(own, 'write')).grants.every(({ member }) => !member)).toBe(true);
    expect(await explain(999_999)).toMatchObject({ allowed: false, exists: false });
    const matrix = await app.read(async (ctx) => rightsMatrix(ctx));
    const partner = matrix.find(({ model }) => model === 'res.partner');
    expect(partner?.rights).toContainEqual({
      group: 'base.group_partner_manager',
      operations: ['read', 'write', 'create', 'unlink'],
    });
  });

  it('settings are shown with what their values look like, and changed only to what fits', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const shown = await app.read((ctx) => enabledSettings(ctx));
    expect(shown.find(({ name }) => name === 'web.signup')).toMatchObject({
      value: 'open',
      isSet: false,
      schema: { enum: ['open', 'invitation'] },
    });
    await expect(app.write((ctx) => changeSettings(ctx, { 'web.signup': 'closed' }))).rejects.toThrow();
    await expect(app.write((ctx) => changeSettings(ctx, { 'web.nothing': 1 }))).rejects.toThrow('Unknown setting');
    await expect(
      app.write((ctx) => changeSettings(ctx.as({ lang: 'fr_FR' }), { 'base.upload_space': 'x' })),
    ).rejects.toThrow(/nombre/);
    await app.write((ctx) => changeSettings(ctx, { 'web.signup': 'invitation' }));
    expect((await app.read((ctx) => enabledSettings(ctx))).find(({ name }) => name === 'web.signup')?.value).toBe(
      'invitation',
    );
  });

  it('translations that are brought in show on the pages, and go out again', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const password = () => app.read(async (ctx) => t(ctx.as({ lang: 'fr_FR' }), 'Password'));
    expect(await password()).toBe('Mot de passe');
    const po = await app.read((ctx) => exportCatalog(ctx, 'web', 'fr_FR'));
    expect(po).toContain('msgstr "Mot de passe"');
    const source = po.replace('msgstr "Mot de passe"', 'msgstr "Le mot secret"');
    const done = await app.write((ctx) => importCatalog(ctx, { addon: 'web', lang: 'fr_FR', source }));
    expect(done).toMatchObject({ unknown: [], problems: [] });
    await until(async () => (await password()) === 'Le mot secret');
    const coverage = await app.read((ctx) => translationCoverage(ctx, 'fr_FR'));
    expect(coverage.find(({ addon }) => addon === 'web')?.total).toBeGreaterThan(10);
    expect(
      (await app.read((ctx) => translationCoverage(ctx, 'de_DE'))).find(({ addon }) => addon === 'web'),
    ).toMatchObject({ missing: coverage.find(({ addon }) => addon === 'web')?.total });
    await expect(
      app.write((ctx) => importCatalog(ctx, { addon: 'web', lang: 'fr_FR', source: 'msgid "unfinished' })),
    ).rejects.toThrow('isn’t a translation file');
    await expect(
      app.write((ctx) => importCatalog(ctx, { addon: 'nobody', lang: 'fr_FR', source: po })),
    ).rejects.toThrow('Unknown app');
  });

  it('health tells of the database, the process and the nodes', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const health = { database: { kind: database, well: true }, languages: ['en_US', 'fr_FR'] };
    expect(await app.read((ctx) => systemHealth(ctx))).toMatchObject(health);
    const client = await app.as('admin');
    expect(await client.rpc('/web/backend/health')).toMatchObject({ ...health, mail: 'kept' });
  });
});
