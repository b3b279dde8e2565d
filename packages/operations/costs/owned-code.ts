import { currentAccount } from '@pergola/core';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type AnyClass = new (...args: unknown[]) => object;

function owned(addon: string, call: AnyFunction): AnyFunction {
  // Most functions either always wait or never do.
  let waits = true;
  return function ownedCall(this: unknown, ...args) {
    const account = currentAccount();
    if (!account || account.addon === addon) return call.apply(this, args);
    const work = (): unknown => call.apply(this, args);
    const result = waits ? account.run(addon, work) : account.runNow(addon, work);
    waits = result instanceof Promise;
    return result;
  };
}

/** Only copies plain objects, and lists of them: what a contribution contains further down is up to the point that calls it. */
export function withOwnedFunctions<T>(addon: string, contribution: T): T {
  return ownedValue(addon, contribution) as T;
}

function ownedValue(addon: string, given: unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => ownedValue(addon, item));
  if (typeof given === 'function') return isClass(given) ? given : owned(addon, given as AnyFunction);
  if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype) return given;
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(given);
  const copy = {};
  for (const [name, descriptor] of Object.entries(descriptors)) {
    const member: unknown = descriptor.value;
    if (typeof member !== 'function' || isClass(member)) continue;
    // The object stays the one that its addon knows: it may keep state, and tests replace functions of it.
    descriptor.value = owned(addon, function call(this: unknown, ...args) {
      return (given as Record<string, AnyFunction>)[name]?.apply(this === copy ? given : this, args);
    });
  }
  return Object.freeze(Object.defineProperties(copy, descriptors));
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Makes a subclass, or an extension that does. */
export function withOwnedMethods<C extends object>(addon: string, code: C): C {
  if ('over' in code) {
    const over = code.over as (Base: unknown) => AnyClass;
    return { ...code, over: (Base: unknown) => withOwnedMethods(addon, over(Base)) };
  }
  const Base = code as unknown as AnyClass;
  const Owned = { [Base.name]: class extends Base {} }[Base.name] as AnyClass;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Base.prototype))) {
    const method: unknown = descriptor.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    Object.defineProperty(Owned.prototype, name, { ...descriptor, value: owned(addon, method as AnyFunction) });
  }
  return Owned as unknown as C;
}
