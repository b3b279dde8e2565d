import { setting, z } from '#core';

/** Who may make an account. */
export const signupSetting = setting<'open' | 'invitation'>('web.signup', z.enum(['open', 'invitation']), 'open', {
  label: 'Who may create an account',
  help: 'Otherwise only people an administrator invites get one.',
  section: 'Accounts',
  choices: { open: { label: 'Anybody' }, invitation: { label: 'Only who was invited' } },
});
