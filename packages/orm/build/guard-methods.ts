import { type GuardedPart, guardExtension } from '@pergola/cluster';
import type { Ctx } from '@pergola/core';
import { RecordModel } from '../record-model.ts';
import type { Ctor } from '../types.ts';
import type { Part } from './collect.ts';

type Method = (this: { readonly ctx: Ctx }, ...args: unknown[]) => unknown;

/**
 * Guards the methods that an extension adds or overrides, so that one can fail alone. While reading, a failing override is skipped, and a failing
 * compute method leaves its fields empty. All else is refused: the operations and hooks of every model enforce rights and constraints,
 * and a change could be incomplete.
 *
 * @param computes names of methods that compute fields
 */
export function guardMethods(
  Class: Ctor<unknown>,
  Below: Ctor<unknown>,
  { addon, declaration }: Part,
  computes: ReadonlySet<string>,
): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype as object))) {
    const method: unknown = property.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const part: GuardedPart = { addon, kind: 'extension', name: `${declaration.name}.${name}`, declared: declaration };
    const below = substitute(name, Below.prototype as object, computes);
    const guarded: Method = function (...args) {
      const run = () => Reflect.apply(method, this, args);
      return guardExtension(this.ctx, part, args, run, below && (() => below.apply(this, args)));
    };
    Object.defineProperty(Class.prototype, name, { ...property, value: guarded });
  }
}

/** Method to call instead of a failing one; null if none does. */
function substitute(name: string, below: object, computes: ReadonlySet<string>): Method | null {
  if (name in RecordModel.prototype) return null;
  const method: unknown = Reflect.get(below, name);
  if (typeof method === 'function') return method as Method;
  return computes.has(name) ? async () => new Map() : null;
}
