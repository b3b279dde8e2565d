import { Group, Language, User } from '@pergola/base';
import { type Ctx, InvalidInput, identityOf, isEmailAddress, NotFound, reply, route, z } from 'pergola';
import { listBackups, systemHealth } from 'pergola/kernel';
import { holdsMails, queueAgain } from 'pergola/mail';
import { exportCatalog, importCatalog, ownText, translationCoverage } from 'pergola/pages';
import { operations, rightsMatrix } from '../services/admin/access.ts';
import { shownChanges, undoChange } from '../services/admin/changes.ts';
import { overBudget } from '../services/admin/costs.ts';
import { deleteDeadJobs, jobStates, listJobs, listSchedule, retryJobs, runScheduled } from '../services/admin/jobs.ts';
import { changeMailServer, shownMailServer, tryMailServer } from '../services/admin/mail-server.ts';
import { listOutbox, mailStates } from '../services/admin/outbox.ts';
import { endSessionsByNumber, listAllSessions } from '../services/admin/sessions.ts';
import { changeSettings, enabledSettings } from '../services/admin/settings.ts';
import { explainFor, groupTitles, rolesOverview } from '../services/backend/rights.ts';
import { framedMail } from '../services/outbox-view.ts';

/** Restricts each call to administrators. */
const admin = { auth: 'user', groups: ['base.group_system'] } as const;
const id = z.number().int().positive();
const ids = z.array(id).min(1).max(500);
const page = {
  limit: z.number().int().min(1).max(200).default(50),
  offset: z.number().int().min(0).default(0),
};
const empty = z.object({});

const settings = route.rpc(
  '/web/backend/settings',
  { ...admin, name: 'web.backend_settings', input: empty },
  ({ ctx }) => enabledSettings(ctx),
);

const change = route.rpc(
  '/web/backend/settings/change',
  {
    ...admin,
    name: 'web.backend_settings_change',
    writes: true,
    input: z.object({ values: z.record(z.string().max(100), z.unknown()) }),
  },
  async ({ ctx, input }) => {
    await changeSettings(ctx, input.values);
    return enabledSettings(ctx);
  },
);

const outbox = route.rpc(
  '/web/backend/outbox',
  {
    ...admin,
    name: 'web.backend_outbox',
    input: z.object({ ...page, state: z.enum(mailStates).optional(), search: z.string().max(100).default('') }),
  },
  ({ ctx, input }) => listOutbox(ctx, input),
);

const oneMail = route.rpc(
  '/web/backend/outbox/mail',
  { ...admin, name: 'web.backend_outbox_mail', input: z.object({ id }) },
  ({ ctx, input }) => framedMail(ctx, input.id),
);

const sendAgain = route.rpc(
  '/web/backend/outbox/retry',
  { ...admin, name: 'web.backend_outbox_retry', writes: true, input: z.object({ ids }) },
  ({ ctx, input }) => queueAgain(ctx, input.ids),
);

const PORT = 'Enter a port from 1 to 65535.';

const mailServer = route.rpc(
  '/web/backend/mail-server',
  { ...admin, name: 'web.backend_mail_server', input: empty },
  ({ ctx }) => shownMailServer(ctx),
);

const changeServer = route.rpc(
  '/web/backend/mail-server/change',
  {
    ...admin,
    name: 'web.backend_mail_server_change',
    writes: true,
    input: z.object({
      host: z.string().trim().max(253),
      port: z.number().int().min(1, PORT).max(65_535, PORT),
      security: z.enum(['starttls', 'tls', 'none']),
      user: z.string().trim().max(320),
      password: z.string().max(500).nullable(),
      from: z.string().trim().max(320),
    }),
  },
  async ({ ctx, input }) => {
    await changeMailServer(ctx, input);
    return shownMailServer(ctx);
  },
);

const tryServer = route.rpc(
  '/web/backend/mail-server/try',
  {
    ...admin,
    name: 'web.backend_mail_server_try',
    input: z.object({ to: z.string().refine(isEmailAddress, 'Enter a valid email address.') }),
    rate: { calls: 10, seconds: 60, by: 'user' },
  },
  async ({ ctx, input }) => ({ problem: await tryMailServer(ctx, input.to) }),
);

const jobs = route.rpc(
  '/web/backend/jobs',
  { ...admin, name: 'web.backend_jobs', input: z.object({ ...page, state: z.enum(jobStates).optional() }) },
  ({ ctx, input }) => listJobs(ctx, input),
);

const runAgain = route.rpc(
  '/web/backend/jobs/retry',
  { ...admin, name: 'web.backend_jobs_retry', writes: true, input: z.object({ ids }) },
  ({ ctx, input }) => retryJobs(ctx, input.ids),
);

const forget = route.rpc(
  '/web/backend/jobs/delete',
  { ...admin, name: 'web.backend_jobs_delete', writes: true, input: z.object({ ids }) },
  ({ ctx, input }) => deleteDeadJobs(ctx, input.ids),
);

const schedule = route.rpc('/web/backend/jobs/schedule', { ...admin, name: 'web.backend_schedule' }, ({ ctx }) =>
  listSchedule(ctx),
);

const runNow = route.rpc(
  '/web/backend/jobs/run',
  { ...admin, name: 'web.backend_schedule_run', writes: true, input: z.object({ name: z.string().max(200) }) },
  ({ ctx, input }) => runScheduled(ctx, input.name),
);

/** Latest changes of people, or of one record. */
const changes = route.rpc(
  '/web/backend/changes',
  {
    ...admin,
    name: 'web.backend_changes',
    input: z.object({ model: z.string().max(64).optional(), id: id.optional(), by: z.string().max(320).optional() }),
  },
  ({ ctx, input: { model, id: recordId, by } }) =>
    shownChanges(ctx, { ...(model && { model }), ...(recordId && { id: recordId }), ...(by && { by }) }),
);

/** Tries to undo a change, and rolls back. */
const tryUndo = route.rpc(
  '/web/backend/changes/try',
  { ...admin, name: 'web.backend_changes_try', writes: true, input: z.object({ id }) },
  ({ ctx, input }) => undoChange(ctx, input.id, { isPartial: true, isDryRun: true }),
);

const undoOne = route.rpc(
  '/web/backend/changes/undo',
  { ...admin, name: 'web.backend_changes_undo', writes: true, input: z.object({ id, partial: z.boolean() }) },
  ({ ctx, input }) => undoChange(ctx, input.id, { isPartial: input.partial, isDryRun: false }),
);

const sessions = route.rpc(
  '/web/backend/sessions',
  { ...admin, name: 'web.backend_sessions', input: z.object(page) },
  async ({ ctx, input }) => {
    const { sessions: open, total } = await listAllSessions(ctx, input);
    const users = await ctx
      .model(User)
      .read([...new Set(open.map(({ userId }) => userId))], { select: { login: true, name: true } });
    const byId = new Map(users.map((user) => [user.id, user]));
    return {
      total,
      sessions: open.map((session) => ({
        ...session,
        login: byId.get(session.userId)?.login ?? '',
        name: byId.get(session.userId)?.name ?? '',
      })),
    };
  },
);

const signOut = route.rpc(
  '/web/backend/sessions/end',
  { ...admin, name: 'web.backend_sessions_end', writes: true, input: z.object({ numbers: ids }) },
  ({ ctx, input }) => endSessionsByNumber(ctx, input.numbers),
);

const health = route.rpc(
  '/web/backend/health',
  { ...admin, name: 'web.backend_health', input: empty },
  async ({ ctx }) => ({
    ...(await systemHealth(ctx)),
    mail: (await holdsMails(ctx)) ? 'kept' : 'smtp',
    mails: (await listOutbox(ctx, { limit: 1 })).states,
    jobs: (await listJobs(ctx, { limit: 1 })).states,
    backup: (await listBackups(ctx))[0] ?? null,
    overBudget: new Set((await overBudget(ctx, 60)).map(({ addon }) => addon)).size,
  }),
);

const lang = z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/);
const addon = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/);

const languages = route.rpc(
  '/web/backend/languages',
  { ...admin, name: 'web.backend_languages', input: empty },
  async ({ ctx }) => {
    const rows = await ctx
      .model(Language)
      .find([['active', 'in', [true, false]]], { select: { name: true, code: true, url_code: true, active: true } });
    const [first] = rows.filter(({ active }) => active);
    return Promise.all(
      rows.map(async (row) => ({
        ...row,
        isDefault: row.id === first?.id,
        // Texts in the code are in the source language.
        isSource: row.code === 'en_US',
        addons: row.active
          ? (await translationCoverage(ctx, row.code)).map((coverage) => ({
              ...coverage,
              title: ownText(ctx, coverage.addon, coverage.title),
            }))
          : [],
      })),
    );
  },
);

const bringIn = route.rpc(
  '/web/backend/languages/import',
  {
    ...admin,
    name: 'web.backend_languages_import',
    writes: true,
    limit: { bytes: 8 * 1024 * 1024 },
    input: z.object({ addon, lang, source: z.string().max(5_000_000) }),
  },
  async ({ ctx, input }) => {
    await requireKnownLanguage(ctx, input.lang);
    return importCatalog(ctx, input);
  },
);

async function requireKnownLanguage(ctx: Ctx, code: string): Promise<void> {
  const languageCount = await ctx.model(Language).count([
    ['active', 'in', [true, false]],
    ['code', '=', code],
  ]);
  if (languageCount === 0) throw new InvalidInput('This language doesn’t exist.', { code: 'web.no_language' });
}

/** Translation file for translators. */
const downloadTranslations = route.http(
  '/web/backend/languages/:lang/:addon.po',
  { ...admin, method: 'GET', name: 'web.backend_languages_export', params: { lang, addon } },
  async ({ ctx, params }) => {
    const text = await exportCatalog(ctx, params.addon, params.lang);
    return reply.body(text, 'text/x-gettext-translation; charset=utf-8', {
      'content-disposition': `attachment; filename="${params.addon}.${params.lang}.po"`,
    });
  },
);

const rights = route.rpc(
  '/web/backend/rights',
  { ...admin, groups: ['base.group_erp_manager'], name: 'web.backend_rights', input: empty },
  async ({ ctx }) => ({
    groups: await groupTitles(ctx),
    models: (await rightsMatrix(ctx)).map((modelRights) => ({
      ...modelRights,
      label: ownText(ctx, modelRights.addon, modelRights.label),
    })),
  }),
);

const explain = route.rpc(
  '/web/backend/rights/explain',
  {
    ...admin,
    groups: ['base.group_erp_manager'],
    name: 'web.backend_rights_explain',
    input: z.object({
      user: id,
      model: z.string().min(1).max(64),
      operation: z.enum(operations),
      id: id.optional(),
    }),
  },
  async ({ ctx, input }) => {
    const user = await identityOf(ctx, input.user);
    if (!user) throw new NotFound('This user doesn’t exist or is archived.', { code: 'web.no_user' });
    return explainFor(ctx, {
      user,
      model: input.model,
      operation: input.operation,
      ...(input.id ? { id: input.id } : {}),
    });
  },
);

const manager = { ...admin, groups: ['base.group_erp_manager'] } as const;

const roles = route.rpc('/web/backend/roles', { ...manager, name: 'web.backend_roles', input: empty }, ({ ctx }) =>
  rolesOverview(ctx),
);

const saveRole = route.rpc(
  '/web/backend/roles/save',
  {
    ...manager,
    name: 'web.backend_roles_save',
    writes: true,
    input: z.object({
      id: id.nullable(),
      name: z.string().max(80),
      rights: z.record(z.string().max(64), z.string().regex(/^[rwcd]{0,4}$/)),
      implied: z.array(id).max(200),
    }),
  },
  ({ ctx, input }) => ctx.model(Group).save_role(input),
);

const deleteRole = route.rpc(
  '/web/backend/roles/delete',
  { ...manager, name: 'web.backend_roles_delete', writes: true, input: z.object({ id }) },
  ({ ctx, input }) => ctx.model(Group).delete_role(input),
);

export const settingsRpcRoutes = [
  settings,
  change,
  outbox,
  oneMail,
  sendAgain,
  mailServer,
  changeServer,
  tryServer,
  jobs,
  runAgain,
  forget,
  schedule,
  runNow,
  changes,
  tryUndo,
  undoOne,
  sessions,
  signOut,
  health,
  languages,
  bringIn,
  downloadTranslations,
  rights,
  explain,
  roles,
  saveRole,
  deleteRole,
] as const;
