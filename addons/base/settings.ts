import { setting, z } from 'pergola';
import { uploadSize, uploadSpace } from 'pergola/kernel';

/** Retention period of the audit log. */
export const auditDays = setting('base.audit_days', z.number().int().min(30).max(3650), 730, {
  label: 'Days the audit log is kept',
  help: 'Who signed in, changed rights, settings, apps and what else is tracked. Older entries are deleted every night.',
  section: 'Accounts',
});

/** Upload limits, enforced by the core. */
export const uploads = [
  setting(uploadSpace.name, uploadSpace.schema, uploadSpace.fallback, {
    label: 'Megabytes of all files',
    help: 'Uploads beyond it are refused. Empty: as many as the disk holds. “State of the system” says how many there are.',
    section: 'Files',
  }),
  setting(uploadSize.name, uploadSize.schema, uploadSize.fallback, {
    label: 'Megabytes of one file',
    help: 'Empty: as many as each kind of upload allows.',
    section: 'Files',
  }),
];
