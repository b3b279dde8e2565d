import { defineAddon, publicMethod } from '#core';
import { userMenu } from './fragments.ts';
import { sendReset } from './jobs/send-reset.ts';
import { inviteMail, knownMail, passwordChangedMail, resetMail, verifyMail } from './mails.ts';
import { WebUser } from './models/res-users.ts';
import { accountRoutes } from './routes/account.ts';
import { backendPage, rootPage } from './routes/home.ts';
import { resetRoutes } from './routes/reset.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signupRoutes } from './routes/signup.ts';
import { signupSetting } from './settings.ts';

export default defineAddon({
  name: 'web',
  title: 'Web',
  summary: 'Sign-in, sessions, calls to models, pictures and the Apps',
  version: '1.0.0',
  category: 'System',
  icon: 'window',
  permanent: true,
  depends: ['base'],
  models: [WebUser],
  routes: [rootPage, backendPage, signInRoutes, signupRoutes, resetRoutes, accountRoutes],
  fragments: [userMenu],
  settings: [signupSetting],
  jobs: [sendReset],
  mails: [resetMail, inviteMail, verifyMail, knownMail, passwordChangedMail],
  public: { methods: [publicMethod(WebUser, 'action_reset_password', { writes: true })] },
});
