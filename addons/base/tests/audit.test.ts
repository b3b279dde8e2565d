import { createTestApp, someDatabase } from 'pergola/testing';
import { sweepAudit } from '../jobs/sweep-audit.ts';
import { AuditEntry } from '../models/audit.ts';

someDatabase('The audit log', (database) => {
  it('is kept as long as the setting says', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    await app.write(async (ctx) => {
      const old = new Date(Date.now() - 800 * 86_400_000);
      const about = { res_model: 'x.old', res_id: 1, field: 'x' };
      await ctx.model(AuditEntry).create([
        { ...about, date: old },
        { ...about, date: new Date() },
      ]);
      await ctx.jobs.enqueue(sweepAudit, {});
    });
    await app.runJobs();
    expect(await app.read((ctx) => ctx.model(AuditEntry).count([['res_model', '=', 'x.old']]))).toBe(1);
  });
});
