import type { CodeReview, Problem, Sentence, SwitchAction } from '@pergola/core';
import type { HtmlFacts } from './page-facts.ts';

/** Actions that can be rehearsed. */
export type RehearsedAction = Exclude<SwitchAction, 'refresh'>;

/** The people whose pages are compared. */
export const roleNames = ['visitor', 'customer', 'editor', 'administrator'] as const;
/** A role whose pages are compared. */
export type RoleName = (typeof roleNames)[number];

/** The person who requests a page. */
export interface Viewer {
  readonly as: RoleName;
  /** Id of the user; null for visitors. */
  readonly userId: number | null;
}

/** A page as one viewer gets it. */
export interface PageFacts {
  readonly status: number;
  /** Where it redirects to. */
  readonly location: string | null;
  /** Addresses of a loop that redirects lead into; otherwise empty. */
  readonly loop: readonly string[];
  /** Errors logged while it was rendered, even if the page could be sent without the failing part. */
  readonly errors: readonly string[];
  /** Addon and name of its route; empty without a route. */
  readonly route: string;
  readonly bytes: number;
  readonly queries: number;
  readonly ms: number;
  /** Null if it isn't HTML. */
  readonly html: HtmlFacts | null;
}

/** Contents of a table. */
export interface TableFacts {
  readonly model: string;
  readonly rows: number;
  readonly columns: Readonly<Record<string, { readonly values: number; readonly size: number }>>;
}

/** An email text in one language with sample values. */
export interface MailFacts {
  readonly faults: readonly string[];
  readonly texts: readonly string[];
}

/** What a site has besides its pages. Each is a map, whose entries are compared by key. */
export interface SiteFacts {
  /** Jobs with their schedules. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly mails: Readonly<Record<string, MailFacts>>;
  /** Who may call a route: `*` is everyone, `signed in`, or groups. */
  readonly routes: Readonly<Record<string, string>>;
  /** Operations on models by group, and record rules. */
  readonly access: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, TableFacts>>;
}

/** Result of a switch on the copy. */
export interface SwitchResult {
  /** Why it failed; empty if it succeeded. */
  readonly problems: readonly Problem[];
  /** Code that needs consent first: nothing was run. */
  readonly reviews: readonly CodeReview[];
  /** Names of the addons that took part. */
  readonly addons: readonly string[];
  /** Identifies what was switched, on which state of the site; null if it failed. */
  readonly fingerprint: string | null;
}

/** One copy of the site: as it is, or as it would be. */
export interface Side {
  /** Why this copy serves nothing, such as code that isn't on this machine; empty if it serves. */
  unready(): Promise<readonly string[]>;
  /** Users to look at pages as; roles without a user are missing. */
  viewers(): Promise<readonly Viewer[]>;
  /** Addresses of pages, at most `limit`: each kind first, then samples of each. */
  addresses(viewers: readonly Viewer[], limit: number): Promise<readonly string[]>;
  /** Renders pages, one after the other. */
  render(pages: readonly PageRequest[]): Promise<readonly PageFacts[]>;
  /** The texts that no catalogue translates into a language (`fr-FR`). */
  withoutTranslation(lang: string, texts: readonly string[]): Promise<readonly string[]>;
  facts(): Promise<SiteFacts>;
  /** Runs a switch, and everything that usually follows it. */
  apply(action: RehearsedAction, names: readonly string[], consents: boolean): Promise<SwitchResult>;
  /** Hosts that code tried to contact; all were refused. */
  refusedHosts(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface PageRequest {
  readonly path: string;
  readonly viewer: Viewer;
}

/** Kinds of differences, in the order of a report. */
export const differenceKinds = [
  'problem',
  'error',
  'loop',
  'mail',
  'data',
  'rights',
  'status',
  'redirect',
  'route',
  'job',
  'translation',
  'text',
  'structure',
  'accessibility',
  'queries',
  'time',
  'bytes',
  'network',
] as const;
/** What is different after a switch. */
export type DifferenceKind = (typeof differenceKinds)[number];

/** Something that is different after the switch. */
export interface Difference {
  /** Address of a page, or the name of what differs: `job forum.digest`, `model res.partner`. */
  readonly path: string;
  /** Viewer; empty if it isn't about a page. */
  readonly as: RoleName | '';
  readonly kind: DifferenceKind;
  readonly before: string | null;
  readonly after: string | null;
}

/** `fails` if something that worked before doesn't any more. */
export type Verdict = 'same' | 'differs' | 'fails';

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly verdict: Verdict;
  readonly seconds: number;
  /** Compared pages: addresses times viewers. */
  readonly pages: number;
  /** Differences of pages and of the site; at most {@link MAX_DIFFERENCES}. */
  readonly differences: readonly Difference[];
  /** Further differences that are not listed. */
  readonly omitted: number;
  /** With it, the same switch is refused on the live site if anything has changed since; null if the rehearsed switch failed. */
  readonly fingerprint: string | null;
  /** Pages and data that could not be compared, and why. */
  readonly notes: readonly Sentence[];
}

/** Maximum number of listed differences. */
export const MAX_DIFFERENCES = 20_000;
