import { rpc } from 'pergola/browser';
import type { BackupProgress, BackupInfo as ServerBackup, SystemHealth } from 'pergola/kernel';
import type { MailPreview, MailSummary, MailText } from 'pergola/mail';
import type { Operation } from 'pergola/orm';
import type { ImportedCatalog, TranslationCoverage } from 'pergola/pages';
import type { ModelRights } from '../../services/admin/access.ts';
import type { JobState, listJobs, listSchedule } from '../../services/admin/jobs.ts';
import type { MailServerInput, ShownMailServer } from '../../services/admin/mail-server.ts';
import type { listOutbox, MailState } from '../../services/admin/outbox.ts';
import type { OpenSession as ServerSession } from '../../services/admin/sessions.ts';
import type { ShownSetting as ServerSetting } from '../../services/admin/settings.ts';
import type { explainFor, groupTitles, rolesOverview, ShownRole } from '../../services/backend/rights.ts';
import type { Wire } from '../types.ts';

export type { MailText } from 'pergola/mail';
export type { Operation } from 'pergola/orm';
export type { ImportedCatalog } from 'pergola/pages';
export type { JobState } from '../../services/admin/jobs.ts';
export type { MailServerInput, ShownMailServer } from '../../services/admin/mail-server.ts';
export type { MailState } from '../../services/admin/outbox.ts';

/** A page of a longer list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

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
export type ShownSetting = Omit<ServerSetting, 'schema'> & { readonly schema: SettingSchema };

export type Outbox = Wire<Awaited<ReturnType<typeof listOutbox>>>;
export type OutboxMail = Outbox['mails'][number];

export type Jobs = Wire<Awaited<ReturnType<typeof listJobs>>>;
export type QueuedJob = Jobs['jobs'][number];
export type Schedule = Wire<Awaited<ReturnType<typeof listSchedule>>>;

export type OpenSession = Wire<ServerSession> & { readonly login: string; readonly name: string };

export type Health = Wire<SystemHealth> & {
  readonly mails: Outbox['states'];
  readonly jobs: Jobs['states'];
  readonly mail: 'smtp' | 'kept';
} & {
  /** The latest existing backup. */
  readonly backup: ServerBackup | null;
};

export interface LanguageCoverage {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly url_code: string;
  readonly active: boolean;
  readonly isDefault: boolean;
  readonly isSource: boolean;
  readonly addons: readonly TranslationCoverage[];
}

export type GroupTitle = Awaited<ReturnType<typeof groupTitles>>[number];
export interface Rights {
  readonly groups: readonly GroupTitle[];
  readonly models: readonly ModelRights[];
}
export type Roles = Awaited<ReturnType<typeof rolesOverview>>;
export type { ShownRole } from '../../services/backend/rights.ts';
export type Explanation = Awaited<ReturnType<typeof explainFor>>;

export type BackupInfo = ServerBackup;
export interface Backups {
  readonly backups: readonly BackupInfo[];
  readonly running: BackupProgress | null;
  /** Reason why the last backup failed; null if none failed after the latest successful one. */
  readonly failed: string | null;
  readonly isMaking: boolean;
  readonly isTrying: boolean;
  readonly schedule: 'never' | 'daily' | 'weekly';
  readonly keep: number;
  /** Whether the user has recently confirmed their password. */
  readonly isProved: boolean;
}

type MailOf = Pick<MailText, 'name' | 'lang'>;
type MailWords = Pick<MailText, 'name' | 'lang' | 'subject' | 'body'>;

/** Returns the address of a single setting. */
export function settingAddress(name: string): string {
  return `/web/settings?setting=${encodeURIComponent(name)}`;
}

const call =
  <P extends object, T>(path: string) =>
  (params: P): Promise<T> =>
    rpc<T>(`/web/backend/${path}`, params);

/** Calls of the settings screens. */
export const settingsCalls = {
  settings: call<object, readonly ShownSetting[]>('settings'),
  change: call<{ values: Readonly<Record<string, unknown>> }, readonly ShownSetting[]>('settings/change'),
  outbox: call<Page & { state?: MailState; search: string }, Outbox>('outbox'),
  mail: call<{ id: number }, OutboxMail & { readonly html: string; readonly text: string }>('outbox/mail'),
  retryMails: call<{ ids: readonly number[] }, number>('outbox/retry'),
  mailServer: call<object, ShownMailServer>('mail-server'),
  changeMailServer: call<MailServerInput, ShownMailServer>('mail-server/change'),
  tryMailServer: call<{ to: string }, { readonly problem: string | null }>('mail-server/try'),
  mailTexts: call<object, readonly (MailSummary & { readonly addonTitle: string })[]>('mail-texts'),
  mailText: call<MailOf, MailText>('mail-texts/one'),
  previewMailText: call<MailWords, MailPreview>('mail-texts/preview'),
  changeMailText: call<MailWords, MailText>('mail-texts/change'),
  resetMailText: call<MailOf, MailText>('mail-texts/reset'),
  backups: call<object, Backups>('backups'),
  makeBackup: call<object, Backups>('backups/make'),
  tryBackup: call<{ name: string }, Backups>('backups/try'),
  deleteBackup: call<{ name: string }, Backups>('backups/delete'),
  confirm: call<{ password: string }, true>('confirm'),
  jobs: call<Page & { state?: JobState }, Jobs>('jobs'),
  retryJobs: call<{ ids: readonly number[] }, number>('jobs/retry'),
  schedule: call<object, Schedule>('jobs/schedule'),
  runScheduled: call<{ name: string }, true>('jobs/run'),
  deleteJobs: call<{ ids: readonly number[] }, number>('jobs/delete'),
  sessions: call<Page, { readonly sessions: readonly OpenSession[]; readonly total: number }>('sessions'),
  endSessions: call<{ numbers: readonly number[] }, number>('sessions/end'),
  health: call<object, Health>('health'),
  languages: call<object, readonly LanguageCoverage[]>('languages'),
  importCatalog: call<{ addon: string; lang: string; source: string }, ImportedCatalog>('languages/import'),
  rights: call<object, Rights>('rights'),
  roles: call<object, Roles>('roles'),
  saveRole: call<Pick<ShownRole, 'name' | 'rights' | 'implied'> & { id: number | null }, number>('roles/save'),
  deleteRole: call<{ id: number }, boolean>('roles/delete'),
  explain: call<{ user: number; model: string; operation: Operation; id?: number }, Explanation>('rights/explain'),
};
