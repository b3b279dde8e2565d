/** A place where the law of the design (docs/architecture.md) is broken. */
export interface LawProblem {
  /** permanent, for `law-exempt(<rule>)` */
  readonly rule: LawRule;
  /** as seen from the folder that was checked */
  readonly file: string;
  readonly line: number;
  /** What is wrong, and why. */
  readonly message: string;
  /** What to do instead. */
  readonly remedy: string;
}

export type LawRule =
  | 'core-imports-addon'
  | 'foreign-import'
  | 'undeclared-dependency'
  | 'server-imports-tsx'
  | 'browser-imports-server'
  | 'props-imported-by-value'
  | 'mutable-module'
  | 'secret-compared'
  | 'safe-string'
  | 'destructive-migration'
  | 'manifest'
  | 'browser-text-unmarked'
  | 'texts-not-extracted'
  | 'package-source'
  | 'package-integrity'
  | 'package-missing'
  | 'package-floor'
  | 'package-script'
  | 'exemption'
  | 'unreadable';

/** One line for people: `addons/forum/karma.ts:12: what and why. What to do. (rule)` */
export function describeLawProblem({ rule, file, line, message, remedy }: LawProblem): string {
  return `${file}:${line}: ${message} ${remedy} (${rule})`;
}
