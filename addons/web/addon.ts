import { defineAddon, publicMethod } from '#core';
import { userMenu } from './fragments.ts';
import { sendReset } from './jobs/send-reset.ts';
import { inviteMail, knownMail, passwordChangedMail, resetMail, verifyMail } from './mails.ts';
import { WebUser } from './models/res-users.ts';
import { accountRoutes } from './routes/account.ts';
import { appRoutes } from './routes/apps.ts';
import { binaryRoutes } from './routes/binary.ts';
import { datasetRoutes } from './routes/dataset.ts';
import { dateCulture } from './routes/date-culture.ts';
import { backendPage, rootPage } from './routes/home.ts';
import { jsonrpcRoutes } from './routes/jsonrpc.ts';
import { resetRoutes } from './routes/reset.ts';
import { sessionRoutes } from './routes/session-rpc.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signupRoutes } from './routes/signup.ts';
import { verifiedPasswords } from './services/verified-passwords.ts';
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
  services: [verifiedPasswords],
  routes: [
    rootPage,
    backendPage,
    signInRoutes,
    signupRoutes,
    resetRoutes,
    accountRoutes,
    sessionRoutes,
    datasetRoutes,
    jsonrpcRoutes,
    binaryRoutes,
    dateCulture,
    appRoutes,
  ],
  fragments: [userMenu],
  settings: [signupSetting],
  jobs: [sendReset],
  mails: [resetMail, inviteMail, verifyMail, knownMail, passwordChangedMail],
  public: { methods: [publicMethod(WebUser, 'action_reset_password', { writes: true })] },
});
