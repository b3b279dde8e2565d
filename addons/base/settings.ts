import { setting, z } from '#core';

/** How long the audit log is kept. */
export const auditDays = setting('base.audit_days', z.number().int().min(30).max(3650), 730, {
  label: 'Days the audit log is kept',
  help: 'Who signed in, changed rights, settings, apps and what else is tracked. Older entries are deleted every night.',
  section: 'Accounts',
});
