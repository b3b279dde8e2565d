import { setting, z } from 'pergola';

/** Who may make an account. */
export const signupSetting = setting<'open' | 'invitation'>('web.signup', z.enum(['open', 'invitation']), 'open', {
  label: 'Who may create an account',
  help: 'Otherwise only people an administrator invites get one.',
  section: 'Accounts',
  choices: { open: { label: 'Anybody' }, invitation: { label: 'Only who was invited' } },
});

/** How long whoever signed up has to confirm their address. */
export const unconfirmedDays = setting('web.unconfirmed_days', z.number().int().min(7).max(3650), 60, {
  label: 'Days until an account that nobody confirmed is deleted',
  help: 'Counted from the last sign-in. Accounts with an order, a registration, a post or anything else of theirs stay.',
  section: 'Accounts',
});

/** When the site makes a backup of itself. */
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
