import { type Ctx, isRecent, job, z } from 'pergola';
import { drillBackup, listBackups, makeBackup } from 'pergola/kernel';
import { backupKeep, backupSchedule } from '../settings.ts';

/** Creates a backup on request. */
export const backUp = job('web.back_up', {
  input: z.object({}),
  attempts: 2,
  run: async ({ ctx }) => {
    await makeBackup(ctx, await ctx.settings.get(backupKeep));
  },
});

/** Tests whether a backup can be restored: the given one, or the latest. */
export const tryBackup = job('web.try_backup', {
  input: z.object({ name: z.string().optional() }),
  attempts: 1,
  run: async ({ ctx, input }) => {
    const name = input.name ?? (await listBackups(ctx))[0]?.name;
    if (name !== undefined) await drillBackup(ctx, name);
  },
});

/** Runs every night: creates a backup if the schedule requires one, and tests its restoration. */
export const scheduledBackup = job('web.scheduled_backup', {
  label: 'Back up the site',
  input: z.object({}),
  cron: '19 2 * * *',
  attempts: 2,
  run: async ({ ctx }) => {
    if (!(await isDue(ctx))) return;
    const { name } = await makeBackup(ctx, await ctx.settings.get(backupKeep));
    await drillBackup(ctx, name);
  },
});

const DAY = 86_400_000;

async function isDue(ctx: Ctx): Promise<boolean> {
  const schedule = await ctx.settings.get(backupSchedule);
  if (schedule === 'never') return false;
  const backups = await listBackups(ctx);
  // One hour less, because the job doesn't start at the same second every night.
  const between = (schedule === 'daily' ? DAY : 7 * DAY) - DAY / 24;
  return !backups.some(({ at: createdAt }) => isRecent(new Date(createdAt), between, ctx.now()));
}
