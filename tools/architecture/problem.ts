/** A violation of an architecture rule (docs/architecture.md). */
export interface Violation {
  /** stable id, for `architecture-exempt(<rule>)` */
  readonly rule: Rule;
  /** relative to the checked folder */
  readonly file: string;
  readonly line: number;
  /** Describes the problem and its reason. */
  readonly message: string;
  /** Instructions for fixing it. */
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
  | 'raw-element'
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

/** Formats a violation as one line: `addons/forum/karma.ts:12: problem and reason. Fix. (rule)` */
export function describeViolation({ rule, file, line, message, remedy }: Violation): string {
  return `${file}:${line}: ${message} ${remedy} (${rule})`;
}
