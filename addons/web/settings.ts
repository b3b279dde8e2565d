import { setting, z } from 'pergola';

/** Who may sign up. */
export const signupSetting = setting<'open' | 'invitation'>('web.signup', z.enum(['open', 'invitation']), 'open', {
  label: 'Who may create an account',
  help: 'Otherwise only people an administrator invites get one.',
  section: 'Accounts',
  choices: { open: { label: 'Anybody' }, invitation: { label: 'Only who was invited' } },
});

/** Number of days within which a new address must be confirmed. */
export const unconfirmedDays = setting('web.unconfirmed_days', z.number().int().min(7).max(3650), 60, {
  label: 'Days until an account that nobody confirmed is deleted',
  help: 'Counted from the last sign-in. Accounts with an order, a registration, a post or anything else of theirs stay.',
  section: 'Accounts',
});

/** Schedule of automatic backups. */
export const backupSchedule = setting<'never' | 'daily' | 'weekly'>(
  'web.backup_schedule',
  z.enum(['never', 'daily', 'weekly']),
  'never',
  {
    label: 'Backups by themselves',
    help: 'At night, into the data folder of the server; each is then restored for trial.',
    section: 'Backups',
    choices: { never: { label: 'Never' }, daily: { label: 'Every night' }, weekly: { label: 'Every week' } },
  },
);

export const backupKeep = setting('web.backup_keep', z.number().int().min(1).max(90), 7, {
  label: 'Backups that are kept',
  help: 'With each new one the oldest go.',
  section: 'Backups',
});
