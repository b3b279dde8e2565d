import { job, z } from 'pergola';
import { AuditEntry } from '../models/audit.ts';
import { auditDays } from '../settings.ts';

const BATCH = 500;

/** Deletes audit log entries older than the configured period. */
export const sweepAudit = job('base.sweep_audit', {
  label: 'Delete old audit log entries',
  input: z.object({}),
  cron: '41 2 * * *',
  run: async ({ ctx, write, signal }) => {
    const cutoff = new Date(ctx.now().getTime() - (await ctx.settings.get(auditDays)) * 86_400_000);
    for (let count = BATCH; count === BATCH && !signal.aborted; ) {
      count = await write(async (writing) => {
        const entries = writing.model(AuditEntry);
        const expiredIds = await entries.search([['date', '<', cutoff]], { limit: BATCH, order: 'date' });
        await entries.unlink(expiredIds);
        return expiredIds.length;
      });
    }
  },
});
