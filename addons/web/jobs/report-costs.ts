import { job, z } from 'pergola';
import { overBudget } from '../services/admin/costs.ts';

/** Minutes between two reports. */
const PERIOD = 15;

/** Logs apps that take more than their budget. */
export const reportCosts = job('web.report_costs', {
  label: 'Report apps that exceed their budgets',
  input: z.object({}),
  cron: `*/${PERIOD} * * * *`,
  attempts: 1,
  run: async ({ ctx }) => {
    for (const { page, addon, ms, queries } of await overBudget(ctx, PERIOD))
      ctx.log.warn({ addon, page, ms: Math.round(ms), queries }, 'An app takes more than its budget');
  },
});
