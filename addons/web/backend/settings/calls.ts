import { rpc } from '#core/browser';

/** A page of a longer list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface ShownSetting {
  readonly name: string;
  readonly addon: string;
  readonly label: string;
  readonly help: string | null;
  readonly section: string | null;
  readonly schema: SettingSchema;
  readonly choices: Readonly<Record<string, string>>;
  readonly fallback: unknown;
  readonly value?: unknown;
  readonly secret: boolean;
  readonly isSet: boolean;
}
/** As much of JSON Schema as inputs are made from. */
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

export type MailState = 'waiting' | 'sent' | 'kept' | 'failed';
/** Moments are ISO texts. */
export interface OutboxMail {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly recipient: string | null;
  readonly subject: string;
  readonly state: MailState;
  readonly error: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
}
export interface Outbox {
  readonly mails: readonly OutboxMail[];
  readonly total: number;
  readonly states: Readonly<Record<MailState, number>>;
}

export type JobState = 'waiting' | 'running' | 'dead';
export interface QueuedJob {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  readonly state: JobState;
  readonly runAt: string;
  readonly attempt: number;
  readonly error: string | null;
  readonly createdAt: string;
}
export interface Jobs {
  readonly jobs: readonly QueuedJob[];
  readonly total: number;
  readonly states: Readonly<Record<JobState, number>>;
}

export interface OpenSession {
  readonly number: number;
  readonly userId: number;
  readonly login: string;
  readonly name: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly ip: string;
  readonly agent: string;
}

export interface Health {
  readonly database: {
    readonly kind: 'sqlite' | 'postgres';
    readonly well: boolean;
    readonly figures: {
      readonly reads: number;
      readonly writes: number;
      readonly writesFailed: number;
      readonly retries: number;
      readonly unavailable: number;
      readonly connections: number;
      readonly writesWaiting: number;
      readonly readsWaiting: number;
    };
  };
  readonly process: {
    readonly node: string;
    readonly pid: number;
    readonly runtime: string;
    readonly upSeconds: number;
    readonly memory: number;
  };
  readonly generation: number;
  readonly languages: readonly string[];
  readonly mail: 'smtp' | 'kept';
  readonly production: boolean;
  readonly nodes: readonly {
    readonly instance: string;
    readonly node: string;
    readonly host: string;
    readonly pid: number;
    readonly started: string;
    readonly generation: number | null;
    readonly draining: boolean;
  }[];
  readonly mails: Outbox['states'];
  readonly jobs: Jobs['states'];
}

export interface LanguageCoverage {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly url_code: string;
  readonly active: boolean;
  readonly isDefault: boolean;
  readonly isSource: boolean;
  readonly addons: readonly {
    readonly addon: string;
    readonly title: string;
    readonly total: number;
    readonly missing: number;
  }[];
}
export interface ImportedCatalog {
  readonly translated: number;
  readonly total: number;
  readonly unknown: readonly string[];
  readonly problems: readonly string[];
}

export type Operation = 'read' | 'write' | 'create' | 'unlink';
export interface GroupTitle {
  readonly code: string;
  readonly title: string;
  readonly implied: readonly string[];
}
export interface RuleRights {
  readonly id: string;
  readonly addon: string;
  readonly groups: readonly string[];
  readonly operations: readonly Operation[];
}
export interface Rights {
  readonly groups: readonly GroupTitle[];
  readonly models: readonly {
    readonly model: string;
    readonly label: string;
    readonly addon: string;
    readonly rights: readonly { readonly group: string; readonly operations: readonly Operation[] }[];
    readonly rules: readonly RuleRights[];
  }[];
}
export interface Explanation {
  readonly allowed: boolean;
  readonly exists: boolean;
  readonly record: string | null;
  readonly groups: readonly GroupTitle[];
  readonly grants: readonly { readonly group: string; readonly member: boolean }[];
  readonly rules: readonly (RuleRights & {
    readonly applies: boolean;
    readonly domain: readonly unknown[] | null;
    readonly covers: boolean | null;
  })[];
  readonly hiddenFields: readonly {
    readonly field: string;
    readonly label: string;
    readonly groups: readonly string[];
  }[];
}

/** Where a single setting is shown. */
export function settingAddress(name: string): string {
  return `/web/settings?setting=${encodeURIComponent(name)}`;
}

const call =
  <P extends object, T>(path: string) =>
  (params: P): Promise<T> =>
    rpc<T>(`/web/backend/${path}`, params);

/** The calls behind the settings' screens. */
export const settingsCalls = {
  settings: call<object, readonly ShownSetting[]>('settings'),
  change: call<{ values: Readonly<Record<string, unknown>> }, readonly ShownSetting[]>('settings/change'),
  outbox: call<Page & { state?: MailState; search: string }, Outbox>('outbox'),
  mail: call<{ id: number }, OutboxMail & { readonly html: string; readonly text: string }>('outbox/mail'),
  retryMails: call<{ ids: readonly number[] }, number>('outbox/retry'),
  jobs: call<Page & { state?: JobState }, Jobs>('jobs'),
  retryJobs: call<{ ids: readonly number[] }, number>('jobs/retry'),
  deleteJobs: call<{ ids: readonly number[] }, number>('jobs/delete'),
  sessions: call<Page, { readonly sessions: readonly OpenSession[]; readonly total: number }>('sessions'),
  endSessions: call<{ numbers: readonly number[] }, number>('sessions/end'),
  health: call<object, Health>('health'),
  languages: call<object, readonly LanguageCoverage[]>('languages'),
  importCatalog: call<{ addon: string; lang: string; source: string }, ImportedCatalog>('languages/import'),
  rights: call<object, Rights>('rights'),
  explain: call<{ user: number; model: string; operation: Operation; id?: number }, Explanation>('rights/explain'),
};
