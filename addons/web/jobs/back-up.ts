import { type Ctx, isRecent, job, z } from 'pergola';
import { drillBackup, listBackups, makeBackup } from 'pergola/kernel';
import { backupKeep, backupSchedule } from '../settings.ts';

/** A backup now, because somebody asked for it. */
export const backUp = job('web.back_up', {
  input: z.object({}),
  attempts: 2,
  run: async ({ ctx }) => {
    await makeBackup(ctx, await ctx.settings.get(backupKeep));
  },
});

/** Tries whether a backup can be restored: the newest where none is named. */
export const tryBackup = job('web.try_backup', {
  input: z.object({ name: z.string().optional() }),
  attempts: 1,
  run: async ({ ctx, input }) => {
    const name = input.name ?? (await listBackups(ctx))[0]?.name;
    if (name !== undefined) await drillBackup(ctx, name);
  },
});

/** Every night: a backup where the schedule says so, and the try to restore it. */
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
  // An hour less: nights do not begin at the same second.
  const between = (schedule === 'daily' ? DAY : 7 * DAY) - DAY / 24;
  return !backups.some(({ at }) => isRecent(new Date(at), between, ctx.now()));
}
