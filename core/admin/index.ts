// What other parts may import; README.md says what the part is for.

export { type AccessExplanation, explainAccess, type Operation, operations, rightsMatrix } from './access.ts';
export { describeModel, type FieldDescription, type ModelDescription, mayUseModel } from './describe.ts';
export { systemHealth } from './health.ts';
export { deleteDeadJobs, jobStates, listJobs, retryJobs } from './jobs.ts';
export { listOutbox, mailStates, type OutboxMail, readOutboxMail, retryMails } from './outbox.ts';
export { adminPoints, type EnabledMenu, menus } from './points.ts';
export { endSessionsByNumber, listAllSessions } from './sessions.ts';
export { changeSettings, enabledSettings } from './settings.ts';
export { exportCatalog, importCatalog, translationCoverage } from './translations.ts';
export { type MenuDefinition, menu, view } from './views.ts';
