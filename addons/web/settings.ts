import { setting, z } from '#core';

/** Who may make an account. */
export const signupSetting = setting<'open' | 'invitation'>('web.signup', z.enum(['open', 'invitation']), 'open', {
  label: 'Who may create an account',
  help: 'With “invitation”, only people an administrator invites get one.',
  section: 'Accounts',
});
