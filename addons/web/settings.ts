import { setting, z } from 'pergola';

/** Who may sign up. */
export const signupSetting = setting<'open' | 'invitation'>('web.signup', z.enum(['open', 'invitation']), 'open', {
  label: 'Who can create an account',
  help: '“By invitation only” means an administrator has to invite each user.',
  section: 'Accounts',
  choices: { open: { label: 'Anyone' }, invitation: { label: 'By invitation only' } },
});

/** Number of days within which a new address must be confirmed. */
export const unconfirmedDays = setting('web.unconfirmed_days', z.number().int().min(7).max(3650), 60, {
  label: 'Unconfirmed account retention (days)',
  help: 'Counted from the last sign-in. Accounts with orders, registrations, posts or other records are kept.',
  section: 'Accounts',
});

/** Limits of what an app may cost per page; see `services/admin/costs.ts`. */
export const costBudgets = setting(
  'web.cost_budgets',
  z
    .string()
    .max(2000)
    .regex(/^\s*(?:(?:[a-z][a-z0-9_]*|\*)\s+\d{1,6}\s+(?:ms|queries)\s*(?:,\s*|$))*$/),
  '',
  {
    label: 'Budgets of apps per page',
    help: 'Separated by commas: “forum 20 ms, website_sale 10 queries”. “* 100 ms” applies to all other apps. The costs screen and the log report pages that take more.',
    section: 'Apps',
  },
);

/** Schedule of automatic backups. */
export const backupSchedule = setting<'never' | 'daily' | 'weekly'>(
  'web.backup_schedule',
  z.enum(['never', 'daily', 'weekly']),
  'never',
  {
    label: 'Automatic backups',
    help: 'Runs at night and saves to the server’s data folder. Each backup gets a restore test.',
    section: 'Backups',
    choices: { never: { label: 'Never' }, daily: { label: 'Every night' }, weekly: { label: 'Every week' } },
  },
);

export const backupKeep = setting('web.backup_keep', z.number().int().min(1).max(90), 7, {
  label: 'Backups to keep',
  help: 'Older backups are deleted.',
  section: 'Backups',
});
