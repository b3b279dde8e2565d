import { AsyncLocalStorage } from 'node:async_hooks';
import { value } from './key.ts';

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
}

/** Account of a request or job, as seen by the code that opens it. */
export interface OpenAccount extends CodeAccount {
  /** Ends the account and adds it to the costs of a page or job; to none if null. */
  close(page: string | null): void;
}

/** Opens an account; returns null if no part of the application keeps any. */
export const openAccount = value<() => OpenAccount | null>('open account');

const accounts = new AsyncLocalStorage<CodeAccount>();

/** Account of the running code; undefined where nothing is measured. */
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

/** Counts an error that the platform caught, for the addon that threw it. */
export function countError(error: unknown): void {
  accounts.getStore()?.failed(error);
}

/** Makes markup with code of an addon that doesn't wait. */
export function markupOf(addon: string, make: () => string): string {
  const account = accounts.getStore();
  return account ? account.markup(addon, make) : make();
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function owned(addon: string, call: AnyFunction): AnyFunction {
  // Most functions either always wait or never do.
  let waits = true;
  return function ownedCall(this: unknown, ...args) {
    const account = accounts.getStore();
    if (!account || account.addon === addon) return call.apply(this, args);
    const work = (): unknown => call.apply(this, args);
    const result = waits ? account.run(addon, work) : account.runNow(addon, work);
    waits = result instanceof Promise;
    return result;
  };
}

/**
 * Returns a contribution whose functions run as code of its addon. Only copies plain objects, and lists of them: what a contribution
 * contains further down is up to the point that calls it.
 */
export function ownedBy<T>(addon: string, contribution: T): T {
  return ownedValue(addon, contribution) as T;
}

function ownedValue(addon: string, given: unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => ownedValue(addon, item));
  if (typeof given === 'function') return isClass(given) ? given : owned(addon, given as AnyFunction);
  if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype) return given;
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(given);
  for (const descriptor of Object.values(descriptors)) {
    const member: unknown = descriptor.value;
    if (typeof member === 'function' && !isClass(member)) descriptor.value = owned(addon, member as AnyFunction);
  }
  return Object.freeze(Object.defineProperties({}, descriptors));
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Returns a class whose methods run as code of an addon: those the class declares itself, not those of its bases. */
export function ownedClass<C extends abstract new (...args: never[]) => unknown>(addon: string, Class: C): C {
  const Base = Class as unknown as new (...args: unknown[]) => object;
  const Owned = { [Class.name]: class extends Base {} }[Class.name] as typeof Base;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Base.prototype))) {
    const method: unknown = descriptor.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    Object.defineProperty(Owned.prototype, name, { ...descriptor, value: owned(addon, method as AnyFunction) });
  }
  return Owned as unknown as C;
}
