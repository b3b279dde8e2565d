import { setting, z } from 'pergola';
import { changeDays, uploadSize, uploadSpace } from 'pergola/kernel';

/** Retention period of the audit log. */
export const auditDays = setting('base.audit_days', z.number().int().min(30).max(3650), 730, {
  label: 'Audit log retention (days)',
  help: 'The audit log tracks sign-ins and changes to rights, settings, apps and records. Older entries are deleted every night.',
  section: 'Accounts',
});

/** How long changes can be undone. */
export const undoDays = setting(changeDays.name, changeDays.schema, changeDays.fallback, {
  label: 'Undo retention (days)',
  help: 'Older changes can’t be undone: their recorded values are deleted every night.',
  section: 'Accounts',
});

/** Upload limits, enforced by the core. */
export const uploads = [
  setting(uploadSpace.name, uploadSpace.schema, uploadSpace.fallback, {
    label: 'Total file storage (MB)',
    help: 'Uploads over this limit are rejected. Leave empty for no limit. “System status” shows the current usage.',
    section: 'Files',
  }),
  setting(uploadSize.name, uploadSize.schema, uploadSize.fallback, {
    label: 'Maximum file size (MB)',
    help: 'Leave empty to use the limit of each kind of upload.',
    section: 'Files',
  }),
];
