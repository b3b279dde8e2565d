/** What screens for administrators need: addons, jobs, outbox, sessions, settings, rights, translations. */

export { type AccessExplanation, explainAccess, type Operation, operations, rightsMatrix } from './admin/access.ts';
export { describeModel, type FieldDescription, type ModelDescription, mayUseModel } from './admin/describe.ts';
export { systemHealth } from './admin/health.ts';
export { deleteDeadJobs, jobStates, listJobs, retryJobs } from './admin/jobs.ts';
export { listOutbox, mailStates, type OutboxMail, readOutboxMail, retryMails } from './admin/outbox.ts';
export { endSessionsByNumber, listAllSessions } from './admin/sessions.ts';
export { changeSettings, enabledSettings } from './admin/settings.ts';
export { exportCatalog, importCatalog, translationCoverage } from './admin/translations.ts';
export { addonManager } from './app/addon-manager.ts';
export { type AddonCommand, UsageError } from './app/commands.ts';
export {
  browserTexts,
  type EnabledMenu,
  type EnabledModel,
  enabledAddons,
  enabledBlocks,
  enabledMenus,
  enabledModels,
  enabledRoutes,
  enabledTours,
  hasLanguages,
  ownerOfPath,
  publicTemplates,
  routeFits,
} from './app/enabled.ts';
export type { Declared } from './install/declared.ts';
export type { Plan, PlanItem, PlannedAddon, SwitchAction } from './kernel/plan.ts';
export type { AddonStatus } from './kernel/status.ts';
export type { PastSwitch } from './kernel/storage.ts';
