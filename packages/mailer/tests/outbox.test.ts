import { createTestApp, eachDatabase, openMailbox, type TestApp, withClock } from 'pergola/testing';
import { greeting } from '../../../tools/testing/fixtures/fx_mail/addon.ts';
import { mailServerSetting, releaseMails } from '../index.ts';

const outbox = async ({ database }: TestApp) =>
  (await database.reader.query(database.knex('core_outbox').select('*').orderBy('id').toSQL().toNative())).rows;

eachDatabase('The outbox', (database) => {
  const clock = withClock();

  it('sends a mail after the commit, in the language of its reader, as HTML and text', async () => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    expect((await app.form('/fx_mail', { email: 'ada@example.com', name: 'Ada' })).status).toBe(303);
    await app.runJobs();
    const [mail] = mailbox.received();
    expect(mail).toMatchObject({ subject: 'Bonjour Ada' });
    expect(mail?.html).toContain('Bienvenue, Ada.');
    expect(mail?.html).toContain(`href="${app.url}/fx_mail"`);
    expect(mail?.text).toContain('Bienvenue, Ada.');
    const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('x-auto-response-suppress')).toBe('OOF, AutoReply');
    expect((await outbox(app)).map(({ state }) => state)).toEqual(['sent']);
    clock.forward(90.5 * 86_400_000);
    const { knex, codec } = app.database;
    const [input, now] = [codec.encode('json', {}), codec.encode('datetime', new Date())];
    const sweep = { name: 'core.sweep_outbox', input, state: 'waiting', attempt: 0, run_at: now, create_date: now };
    await app.database.write((tx) => tx.query(knex('core_job').insert(sweep).toSQL().toNative()));
    await app.runJobs();
    expect(await outbox(app)).toEqual([]);
    await mailbox.close();
  });

  it('tries again under the same Message-ID when the server is busy, and gives up on its final no', async () => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    mailbox.refuse(451);
    await app.form('/fx_mail', { email: 'ada@example.com', name: 'Ada' });
    await app.runJobs();
    const [waiting] = await outbox(app);
    expect(waiting).toMatchObject({ state: 'waiting' });
    mailbox.refuse(null);
    const { database: db } = app;
    await db.write((tx) =>
      tx.query(
        db
          .knex('core_job')
          .update({ run_at: db.codec.encode('datetime', new Date(0)) })
          .toSQL()
          .toNative(),
      ),
    );
    await app.runJobs();
    const [mail] = mailbox.received();
    expect(mail?.messageId).toBe(waiting?.message_id);
    mailbox.refuse(550);
    await app.form('/fx_mail', { email: 'bob@example.com', name: 'Bob' });
    await app.runJobs();
    expect((await outbox(app)).map(({ state }) => state)).toEqual(['sent', 'failed']);
    await mailbox.close();
  });

  it('tries again when the server does not let the site in', async () => {
    const mailbox = await openMailbox();
    const SMTP_URL = mailbox.url.replace('://', '://ada:wrong@');
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL } });
    await app.form('/fx_mail', { email: 'ada@example.com', name: 'Ada' });
    await app.runJobs();
    expect(await outbox(app)).toMatchObject([{ state: 'waiting', error: expect.stringContaining('535') }]);
    await mailbox.close();
  });

  it('holds mails where no server is configured, and sends each once there is one', async () => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    await app.form('/fx_mail', { email: 'ada@example.com', name: 'Ada' });
    await app.runJobs();
    expect((await outbox(app)).map(({ state }) => state)).toEqual(['kept']);
    const release = () => app.write((ctx) => ctx.jobs.enqueue(releaseMails, {}));
    await release();
    await app.runJobs();
    expect((await outbox(app)).map(({ state }) => state)).toEqual(['kept']);
    const mailbox = await openMailbox();
    const server = {
      host: '127.0.0.1',
      port: Number(new URL(mailbox.url).port),
      security: 'none',
      user: '',
      password: '',
      from: '',
    } as const;
    await app.write((ctx) => ctx.settings.set(mailServerSetting, server));
    for (let time = 0; time < 2; time++) {
      await release();
      await app.runJobs();
    }
    expect((await outbox(app)).map(({ state }) => state)).toEqual(['sent']);
    expect(mailbox.received()).toHaveLength(1);
    await mailbox.close();
  });

  it('sends one address at most five mails of a kind in an hour', async () => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    const answers = [];
    for (let n = 0; n < 7; n++)
      answers.push((await app.form('/fx_mail', { email: 'ada@example.com', name: `Ada ${n}` })).status);
    expect(answers).toEqual([303, 303, 303, 303, 303, 429, 429]);
  });

  it('counts mails to an address however its letters are capitalised', async () => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    const answers = [];
    for (const email of [
      'ada@example.com',
      'Ada@example.com',
      'ADA@EXAMPLE.COM',
      'ada@Example.com',
      'aDa@example.com',
      'adA@example.com',
    ])
      answers.push((await app.form('/fx_mail', { email, name: 'Ada' })).status);
    expect(answers).toEqual([303, 303, 303, 303, 303, 429]);
  });

  it('sends one mail for a key within its time, whichever minute that begins in', async () => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    const send = () =>
      app.write((ctx) =>
        ctx.mail.send(greeting, { to: { email: 'ada@example.com' }, values: { name: 'Ada' }, key: 'k', keyMs: 60_000 }),
      );
    // A second before a minute ends.
    clock.forward(59_000 - (Date.now() % 60_000));
    expect(await send()).not.toBeNull();
    clock.forward(2_000);
    expect(await send()).toBeNull();
    clock.forward(57_000);
    expect(await send()).toBeNull();
    clock.forward(2_000);
    expect(await send()).not.toBeNull();
    expect(await send()).toBeNull();
  });

  it('sends notices beyond the hourly number in the hours that follow', async () => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    for (let n = 1; n <= 5; n++)
      expect((await app.form('/fx_mail', { email: 'ada@example.com', name: `Ada ${n}`, kind: 'notice' })).status).toBe(
        303,
      );
    await app.runJobs();
    expect(mailbox.received()).toHaveLength(2);
    const { database: db } = app;
    const jobs = await db.reader.query(
      db
        .knex('core_job')
        .select('run_at')
        .where({ name: 'core.send_mail', state: 'waiting' })
        .orderBy('run_at')
        .toSQL()
        .toNative(),
    );
    const hours = jobs.rows.map(({ run_at }) =>
      Math.round((new Date(run_at as number).getTime() - Date.now()) / 3_600_000),
    );
    expect(hours).toEqual([1, 1, 2]);
    await mailbox.close();
  });

  it.each([
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com (comment)',
    '"ada eve"@example.com',
    'ada@exa\u2028mple.com',
    '=?utf-8?q?ada?=@example.com\n',
    'ada@@example.com',
    'ada',
    '',
  ])('refuses %j as an address', async (email) => {
    await using app = await createTestApp({ addons: ['fx_mail'], database });
    expect((await app.form('/fx_mail', { email, name: 'Ada' })).status).toBe(422);
    expect(await outbox(app)).toEqual([]);
  });

  it.each([
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['क्\u200dष', 'क्\u200dष'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['Müller, Jörg', 'Müller Jörg'],
    ['evil\u202egnp.exe', 'evil gnp.exe'],
  ])('writes the name %j as %j above the mail', async (name, shown) => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    await app.form('/fx_mail', { email: 'ada@example.com', name });
    await app.runJobs();
    expect(mailbox.received().map(({ to }) => to?.[0]?.name)).toEqual([shown]);
    await mailbox.close();
  });

  it('lets no name begin a header or add a reader', async () => {
    const mailbox = await openMailbox();
    await using app = await createTestApp({ addons: ['fx_mail'], database, env: { SMTP_URL: mailbox.url } });
    const names = [
      'Ada\r\nBcc: eve@example.com',
      'Ada <eve@example.com>',
      '=?utf-8?b?QWRh?=',
      'Ada\u2028X-Evil: 1',
      '"Ada", eve@example.com',
    ];
    for (const [n, name] of names.entries()) await app.form('/fx_mail', { email: `ada${n}@example.com`, name });
    await app.runJobs();
    const mails = mailbox.received();
    expect(mails.map(({ envelopeTo }) => envelopeTo).sort()).toEqual(names.map((_, n) => [`ada${n}@example.com`]));
    for (const { headers } of mails)
      expect(headers.some(({ key }) => ['bcc', 'x-evil', 'cc'].includes(key))).toBe(false);
    await mailbox.close();
  });
});
