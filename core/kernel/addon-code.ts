import { AsyncLocalStorage } from 'node:async_hooks';
import { value } from './key.ts';

/** Measures the code of addons. */
export interface CodeMeter {
  /** Opens an account of a job or request; null to leave out a request without a session. */
  open(work: 'job' | 'session' | 'visitor'): CodeAccount | null;
  /** Returns a contribution whose functions run as code of its addon. */
  functions<T>(addon: string, contribution: T): T;
  /** Returns a class, or an extension of a service, whose methods run as code of its addon; inherited methods don't. */
  methods<C extends object>(addon: string, code: C): C;
}

/** Measures nothing, unless a part provides another meter. */
export const codeMeter = value<CodeMeter>('code meter', {
  open: () => null,
  functions: (_addon, contribution) => contribution,
  methods: (_addon, code) => code,
});

/** Follows the code that runs for one request or job, and knows at any time to which addon it belongs. */
export interface CodeAccount {
  /** Addon whose code runs now. */
  readonly addon: string;
  /** Runs code of an addon; what it awaits belongs to it, too. */
  run<T>(addon: string, work: () => T): T;
  /** The same for code that doesn't wait, which costs a tenth. */
  runNow<T>(addon: string, work: () => T): T;
  /** Runs code of an addon that makes markup without waiting. */
  markup(addon: string, make: () => string): string;
  /** Runs a statement for the addon whose code runs now. */
  query<T extends { readonly rows: readonly unknown[] }>(run: () => Promise<T>): Promise<T>;
  /** Counts bytes sent for an addon. */
  sent(addon: string, bytes: number): void;
  /** Counts an error for the addon that threw it. */
  failed(error: unknown): void;
  /** Waits without counting the time: for slow visitors. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
  /** Shares of the addons so far, as a value of `Server-Timing`. */
  timing(): string;
  /** Ends the account and adds it to the costs of a page or job; to none if null. */
  close(page: string | null): void;
}

const accounts = new AsyncLocalStorage<CodeAccount>();

/** Account of the running code; undefined if it isn't measured. */
export function currentAccount(): CodeAccount | undefined {
  return accounts.getStore();
}

/** Runs work that belongs to an account. */
export function withAccount<T>(account: CodeAccount, work: () => T): T {
  return accounts.run(account, work);
}

/** Runs code of an addon. The platform calls it around functions of addons that nothing else wraps. */
export function inAddon<T>(addon: string, work: () => T): T {
  const account = accounts.getStore();
  return account ? account.run(addon, work) : work();
}

/** Makes markup with code of an addon that doesn't wait. */
export function addonMarkup(addon: string, make: () => string): string {
  const account = accounts.getStore();
  return account ? account.markup(addon, make) : make();
}
