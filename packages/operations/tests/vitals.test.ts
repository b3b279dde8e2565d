import { createTestApp, eachDatabase } from 'pergola/testing';
import { rowsOf } from '../../db/index.ts';
import { systemHealth } from '../health.ts';

eachDatabase('The state of the system', (database) => {
  it('tells of free space, overdue jobs and email that does not leave', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { knex, codec } = app.database;
    const at = (minutes: number) => codec.encode('datetime', new Date(Date.now() + minutes * 60_000));
    const vitals = async () => (await app.read((ctx) => systemHealth(ctx))).vitals;
    const before = await vitals();
    expect(before).toMatchObject({ jobs: { overdue: 0, since: null }, mail: { oldestWaiting: null, lastError: null } });
    const holds = before?.disks.flatMap((disk) => disk.holds);
    expect(holds?.toSorted()).toEqual(database === 'sqlite' ? ['backups', 'database', 'files'] : ['backups', 'files']);
    for (const { free, size } of before?.disks ?? []) expect(free).toBeLessThanOrEqual(size);

    const job = { input: codec.encode('json', {}), attempt: 0, create_date: at(-90) };
    const mail = { message_id: '<1@x>', email: 'a@example.com', subject: 'S', html: '', text: '' };
    await app.database.write(async (transaction) => {
      for (const row of [
        { ...job, name: 't.soon', state: 'waiting', run_at: at(-9) },
        { ...job, name: 't.due', state: 'waiting', run_at: at(-10.2) },
        { ...job, name: 't.late', state: 'waiting', run_at: at(-30) },
        { ...job, name: 't.lost', state: 'running', run_at: at(-90), lease_until: at(-60) },
        { ...job, name: 't.dead', state: 'dead', run_at: at(-90) },
      ])
        await rowsOf(transaction, knex('core_job').insert(row));
      await rowsOf(transaction, knex('core_cron').insert({ name: 't.timetable', next_at: at(-20) }));
      for (const row of [
        { ...mail, name: 't.old', state: 'waiting', error: 'refused', create_date: at(-45) },
        { ...mail, name: 't.new', state: 'waiting', error: null, create_date: at(-2) },
        { ...mail, name: 't.sent', state: 'sent', error: null, create_date: at(-90) },
      ])
        await rowsOf(transaction, knex('core_outbox').insert(row));
    });
    const after = await vitals();
    const minutesAgo = (date: Date | null | undefined) => Math.round((Date.now() - (date?.getTime() ?? 0)) / 60_000);
    expect([after?.jobs?.overdue, minutesAgo(after?.jobs?.since)]).toEqual([4, 60]);
    expect([after?.mail?.lastError, minutesAgo(after?.mail?.oldestWaiting)]).toEqual(['refused', 45]);

    const metrics = await app.get('/metrics');
    expect(metrics.text).toMatch(/pergola_jobs_overdue 4/);
    expect(metrics.text).toMatch(/pergola_mail_oldest_waiting_seconds 27\d\d/);
    expect((await app.get('/readyz')).status).toBe(200);
  });
});
