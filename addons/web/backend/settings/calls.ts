import { type CallPath, callRoute, type InputOf, type ResultOf } from '../lib/call-route.ts';

export type { MailText } from 'pergola/mail';
export type { Operation } from 'pergola/orm';
export type { ImportedCatalog } from 'pergola/pages';
export type { JobState } from '../../services/admin/jobs.ts';
export type { MailServerInput, ShownMailServer } from '../../services/admin/mail-server.ts';
export type { MailState } from '../../services/admin/outbox.ts';

/** The subset of JSON Schema used to build inputs. */
export interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly items?: SettingSchema;
  readonly anyOf?: readonly SettingSchema[];
}
export type ShownSetting = ResultOf<'/web/backend/settings'>[number];

export type Outbox = ResultOf<'/web/backend/outbox'>;
export type OutboxMail = Outbox['mails'][number];

export type QueuedJob = ResultOf<'/web/backend/jobs'>['jobs'][number];

export type Change = ResultOf<'/web/backend/changes'>[number];
export type Undo = ResultOf<'/web/backend/changes/undo'>;

export type OpenSession = ResultOf<'/web/backend/sessions'>['sessions'][number];

export type Health = ResultOf<'/web/backend/health'>;
export type LanguageCoverage = ResultOf<'/web/backend/languages'>[number];
export type Rights = ResultOf<'/web/backend/rights'>;
export type GroupTitle = Rights['groups'][number];
export type Roles = ResultOf<'/web/backend/roles'>;
export type ShownRole = Roles['roles'][number];
export type Explanation = ResultOf<'/web/backend/rights/explain'>;
export type Backups = ResultOf<'/web/backend/backups'>;
export type BackupInfo = Backups['backups'][number];

/** Returns the address of a single setting. */
export function settingAddress(name: string): string {
  return `/web/settings?setting=${encodeURIComponent(name)}`;
}

const call =
  <P extends CallPath>(path: P) =>
  (input: InputOf<P>): Promise<ResultOf<P>> =>
    callRoute(path, input);

/** Calls of the settings screens. */
export const settingsCalls = {
  settings: call('/web/backend/settings'),
  change: call('/web/backend/settings/change'),
  outbox: call('/web/backend/outbox'),
  mail: call('/web/backend/outbox/mail'),
  retryMails: call('/web/backend/outbox/retry'),
  mailServer: call('/web/backend/mail-server'),
  changeMailServer: call('/web/backend/mail-server/change'),
  tryMailServer: call('/web/backend/mail-server/try'),
  mailTexts: call('/web/backend/mail-texts'),
  mailText: call('/web/backend/mail-texts/one'),
  previewMailText: call('/web/backend/mail-texts/preview'),
  changeMailText: call('/web/backend/mail-texts/change'),
  resetMailText: call('/web/backend/mail-texts/reset'),
  backups: call('/web/backend/backups'),
  makeBackup: call('/web/backend/backups/make'),
  tryBackup: call('/web/backend/backups/try'),
  deleteBackup: call('/web/backend/backups/delete'),
  confirm: call('/web/backend/confirm'),
  jobs: call('/web/backend/jobs'),
  retryJobs: call('/web/backend/jobs/retry'),
  schedule: call('/web/backend/jobs/schedule'),
  runScheduled: call('/web/backend/jobs/run'),
  deleteJobs: call('/web/backend/jobs/delete'),
  changes: call('/web/backend/changes'),
  tryUndo: call('/web/backend/changes/try'),
  undo: call('/web/backend/changes/undo'),
  sessions: call('/web/backend/sessions'),
  endSessions: call('/web/backend/sessions/end'),
  health: call('/web/backend/health'),
  languages: call('/web/backend/languages'),
  importCatalog: call('/web/backend/languages/import'),
  rights: call('/web/backend/rights'),
  roles: call('/web/backend/roles'),
  saveRole: call('/web/backend/roles/save'),
  deleteRole: call('/web/backend/roles/delete'),
  explain: call('/web/backend/rights/explain'),
};
