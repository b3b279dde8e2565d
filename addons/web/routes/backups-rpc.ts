import { AuditEntry } from '@pergola/base';
import { type Ctx, NotAllowed, reply, route, z } from 'pergola';
import { writeBeside } from 'pergola/http';
import { backupNamed, listBackups, readBackupFile, removeBackup, runningBackup } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { backUp, scheduledBackup, tryBackup } from '../jobs/back-up.ts';
import { requireOwnPassword } from '../services/accounts.ts';
import { listJobs } from '../services/admin/jobs.ts';
import { isProved, noteProof } from '../services/proof.ts';
import { backupKeep, backupSchedule } from '../settings.ts';

const admin = { auth: 'user', groups: ['base.group_system'] } as const;
const name = z.string().regex(/^[\w-]{1,60}\.backup$/);

/** Returns the backups, any running one, and whether the user has recently confirmed their password. */
async function backupsFor(ctx: Ctx) {
  const { jobs } = await listJobs(ctx, { limit: 500 });
  const isQueued = (jobName: string): boolean => jobs.some((job) => job.name === jobName && job.state !== 'dead');
  const backups = await listBackups(ctx);
  const since = new Date(backups[0]?.at ?? 0);
  const failed = jobs.findLast(
    ({ name, state, runAt }) =>
      state === 'dead' && runAt > since && (name === backUp.name || name === scheduledBackup.name),
  );
  return {
    backups: backups.map(({ drill, ...backup }) => ({
      ...backup,
      drill: drill && { ...drill, problem: ownText(ctx, 'core', drill.problem) },
    })),
    failed: failed?.error ?? null,
    running: await runningBackup(ctx),
    isMaking: isQueued(backUp.name),
    isTrying: isQueued(tryBackup.name),
    schedule: await ctx.settings.get(backupSchedule),
    keep: await ctx.settings.get(backupKeep),
    isProved: isProved(ctx),
  };
}

/** A backup contains the whole site, so an open session isn't sufficient. */
function requireProof(ctx: Ctx): void {
  if (isProved(ctx)) return;
  throw new NotAllowed('Confirm your identity first: enter your password or sign in again.', {
    code: 'web.confirm_first',
  });
}

async function note(ctx: Ctx, kind: 'backup_taken' | 'backup_deleted', backup: string): Promise<void> {
  const entry = { kind, res_model: 'core.backup', res_id: 0, field: backup, old_value: null, new_value: null } as const;
  await writeBeside(ctx, (system) => system.model(AuditEntry).note([{ ...entry, user_id: ctx.user.id }]));
}

const list = route.rpc(
  '/web/backend/backups',
  { ...admin, name: 'web.backend_backups', input: z.object({}) },
  ({ ctx }) => backupsFor(ctx),
);

/** Confirms the user's password, which unlocks protected actions for some minutes. */
const confirm = route.rpc(
  '/web/backend/confirm',
  {
    name: 'web.backend_confirm',
    auth: 'user',
    writes: true,
    input: z.object({ password: z.string().min(1).max(1024) }),
    prepare: ({ ctx, input, request }) =>
      requireOwnPassword(ctx, { password: input.password, address: request.ip, field: 'password' }),
  },
  ({ ctx }) => {
    noteProof(ctx);
    return true;
  },
);

const make = route.rpc(
  '/web/backend/backups/make',
  { ...admin, name: 'web.backend_backups_make', writes: true, input: z.object({}) },
  async ({ ctx }) => {
    requireProof(ctx);
    await ctx.jobs.enqueue(backUp, {}, { key: 'now' });
    return backupsFor(ctx);
  },
);

const attempt = route.rpc(
  '/web/backend/backups/try',
  { ...admin, name: 'web.backend_backups_try', writes: true, input: z.object({ name }) },
  async ({ ctx, input }) => {
    await backupNamed(ctx, input.name);
    await ctx.jobs.enqueue(tryBackup, input, { key: input.name });
    return backupsFor(ctx);
  },
);

const remove = route.rpc(
  '/web/backend/backups/delete',
  { ...admin, name: 'web.backend_backups_delete', input: z.object({ name }) },
  async ({ ctx, input }) => {
    requireProof(ctx);
    await removeBackup(ctx, input.name);
    await note(ctx, 'backup_deleted', input.name);
    return backupsFor(ctx);
  },
);

/** Streams the file at the speed of the client. */
const downloadBackup = route.http(
  '/web/backend/backups/:name',
  { ...admin, method: 'GET', name: 'web.backend_backups_take', params: { name } },
  async ({ ctx, params }) => {
    requireProof(ctx);
    const { size } = await backupNamed(ctx, params.name);
    const content = await readBackupFile(ctx, params.name);
    await note(ctx, 'backup_taken', params.name);
    return reply.body(content, 'application/gzip', {
      'Content-Disposition': `attachment; filename="${params.name}"`,
      'Content-Length': String(size),
      'Cache-Control': 'private, no-store',
    });
  },
);

export const backupRoutes = [list, confirm, make, attempt, remove, downloadBackup] as const;
