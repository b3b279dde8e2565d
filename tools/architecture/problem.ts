/** A place where a rule of the architecture (docs/architecture.md) is broken. */
export interface Violation {
  /** permanent, for `architecture-exempt(<rule>)` */
  readonly rule: Rule;
  /** as seen from the folder that was checked */
  readonly file: string;
  readonly line: number;
  /** What is wrong, and why. */
  readonly message: string;
  /** What to do instead. */
  readonly remedy: string;
}

export type Rule =
  | 'core-imports-addon'
  | 'core-imports-tools'
  | 'part-inside'
  | 'part-order'
  | 'foreign-import'
  | 'undeclared-dependency'
  | 'server-imports-tsx'
  | 'browser-imports-server'
  | 'props-imported-by-value'
  | 'mutable-module'
  | 'secret-compared'
  | 'safe-string'
  | 'destructive-migration'
  | 'outlives-request'
  | 'unlocked-count'
  | 'lowered-address'
  | 'unknown-ref'
  | 'unread-argument'
  | 'unfilled-name'
  | 'unstable-render'
  | 'late-link'
  | 'bare-fetch'
  | 'foreign-texts'
  | 'manifest'
  | 'error-unexplained'
  | 'error-unknown'
  | 'browser-text-unmarked'
  | 'french-plain-space'
  | 'unusable-translation'
  | 'untranslated-text'
  | 'missing-depends'
  | 'texts-not-extracted'
  | 'missing-french'
  | 'avoided-term'
  | 'package-source'
  | 'package-integrity'
  | 'package-missing'
  | 'package-floor'
  | 'package-script'
  | 'exemption'
  | 'unreadable';

/** One line for people: `addons/forum/karma.ts:12: what and why. What to do. (rule)` */
export function describeViolation({ rule, file, line, message, remedy }: Violation): string {
  return `${file}:${line}: ${message} ${remedy} (${rule})`;
}
