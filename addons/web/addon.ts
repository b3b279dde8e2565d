import { ExternalIdentifier, Language } from '@pergola/base';
import { defineAddon, z } from 'pergola';
import { entries } from './account-entries.ts';
import { mailNotice, userMenu } from './fragments.ts';
import { backUp, scheduledBackup, tryBackup } from './jobs/back-up.ts';
import { reportCosts } from './jobs/report-costs.ts';
import { sendReset } from './jobs/send-reset.ts';
import { sendVerification } from './jobs/send-verification.ts';
import { sweepUnconfirmed } from './jobs/sweep-unconfirmed.ts';
import {
  addressChangedMail,
  addressChangeMail,
  changeMail,
  inviteMail,
  knownMail,
  passwordChangedMail,
  resetMail,
  verifyMail,
} from './mails.ts';
import { menus } from './menus.ts';
import { SavedFilter } from './models/ir-filters.ts';
import { WebPartner } from './models/res-partner.ts';
import { WebUser } from './models/res-users.ts';
import { Preference } from './models/web-preference.ts';
import { accountEntries } from './points/account-entries.ts';
import { menus as menuPoint } from './points/menus.ts';
import { publicMethod, publicMethods } from './points/public-methods.ts';
import { questions } from './points/questions.ts';
import { views as viewPoint } from './points/views.ts';
import { firstSteps as stepPoint, widgets as widgetPoint } from './points/widgets.ts';
import { accountRoutes } from './routes/account.ts';
import { appRoutes } from './routes/apps.ts';
import { appRpcRoutes } from './routes/apps-rpc.ts';
import { backendRoutes } from './routes/backend.ts';
import { backupRoutes } from './routes/backups-rpc.ts';
import { binaryRoutes } from './routes/binary.ts';
import { datasetRoutes } from './routes/dataset.ts';
import { dateCulture } from './routes/date-culture.ts';
import { rootPage } from './routes/home.ts';
import { jsonrpcRoutes } from './routes/jsonrpc.ts';
import { kitPage } from './routes/kit.ts';
import { mailTextRoutes } from './routes/mail-texts-rpc.ts';
import { outboxRoutes } from './routes/outbox.ts';
import { recordRpcRoutes } from './routes/records-rpc.ts';
import { resetRoutes } from './routes/reset.ts';
import { sessionRoutes } from './routes/session-rpc.ts';
import { settingsRoutes } from './routes/settings.ts';
import { settingsRpcRoutes } from './routes/settings-rpc.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signupRoutes } from './routes/signup.ts';
import { transferRoutes } from './routes/transfer.ts';
import { xmlrpcRoutes } from './routes/xmlrpc.ts';
import { lists, rules } from './security.ts';
import { AppSheets } from './services/app-sheets.ts';
import { FileReader } from './services/backend/import/read-file.ts';
import { consequences } from './services/backend/lost-menus.ts';
import { publicPictures } from './services/images.ts';
import { knowsPassword } from './services/outbox-view.ts';
import { VerifiedPasswords } from './services/verified-passwords.ts';
import { backupKeep, backupSchedule, costBudgets, signupSetting, unconfirmedDays } from './settings.ts';
import { views } from './views.ts';
import { firstSteps, widgets } from './widgets.ts';

export default defineAddon({
  name: 'web',
  title: 'Web',
  summary: 'Sign-in, sessions, API, images and the Apps screen',
  version: '1.5.0',
  category: 'System',
  icon: 'window',
  permanent: true,
  depends: ['base'],
  consequences,
  models: [WebUser, WebPartner, SavedFilter, Preference],
  access: lists,
  rules,
  menus,
  views,
  widgets,
  firstSteps,
  accountEntries: entries,
  points: [publicMethods, questions, viewPoint, menuPoint, widgetPoint, stepPoint, publicPictures, accountEntries],
  services: [VerifiedPasswords, AppSheets, FileReader, knowsPassword.service],
  routes: [
    rootPage,
    kitPage,
    backendRoutes,
    transferRoutes,
    signInRoutes,
    signupRoutes,
    resetRoutes,
    outboxRoutes,
    accountRoutes,
    sessionRoutes,
    datasetRoutes,
    jsonrpcRoutes,
    xmlrpcRoutes,
    binaryRoutes,
    dateCulture,
    appRoutes,
    appRpcRoutes,
    backupRoutes,
    mailTextRoutes,
    recordRpcRoutes,
    settingsRoutes,
    settingsRpcRoutes,
  ],
  fragments: [userMenu, mailNotice],
  settings: [signupSetting, unconfirmedDays, costBudgets, backupSchedule, backupKeep],
  jobs: [sendReset, sendVerification, backUp, tryBackup, scheduledBackup, sweepUnconfirmed, reportCosts],
  mails: [
    resetMail,
    inviteMail,
    verifyMail,
    knownMail,
    passwordChangedMail,
    changeMail,
    addressChangeMail,
    addressChangedMail,
  ],
  publicMethods: [
    publicMethod(WebUser, 'action_reset_password', { right: 'write', writes: true, mails: true }),
    publicMethod(Language, 'switch_on', { right: 'write', writes: true }),
    publicMethod(Language, 'switch_off', { right: 'write', writes: true }),
    publicMethod(ExternalIdentifier, 'xmlid_to_res_model_res_id', {
      right: 'read',
      writes: false,
      onRecords: false,
      args: z.tuple([z.string().max(200), z.boolean().nullish()]),
    }),
    publicMethod(ExternalIdentifier, 'check_object_reference', {
      right: 'read',
      writes: false,
      onRecords: false,
      args: z.tuple([z.string().max(64), z.string().max(128), z.boolean().nullish()]),
    }),
    publicMethod(Preference, 'remember', {
      right: 'create',
      writes: true,
      onRecords: false,
      args: z.object({ key: z.string().min(1).max(120), value: z.json().nullable() }),
    }),
  ],
});
