import type { AccessScope, Ctx } from '@pergola/core';
import { modelRegistry } from '../registry-key.ts';
import type { Operation } from './compiled.ts';
import { mayOperate } from './rights.ts';

/** Rights by model as they are kept: letters of `r`ead, `w`rite, `c`reate and `d`elete, as in access lists. */
export type KeptRights = Readonly<Record<string, string>>;

/** What the letters of rights stand for, in the order people read them. */
export const operationByLetter: Readonly<Record<string, Operation>> = {
  r: 'read',
  w: 'write',
  c: 'create',
  d: 'unlink',
};

/** The operations that letters stand for; any other letter is none. */
export function operationsOf(letters: string): readonly Operation[] {
  return [...letters].flatMap((letter) => operationByLetter[letter] ?? []);
}

/** Kept rights, several together, as the model layer looks at them. */
export function scopeOfRights(...all: readonly KeptRights[]): AccessScope {
  const scope = new Map<string, Set<Operation>>();
  for (const [model, letters] of all.flatMap((rights) => Object.entries(rights)))
    scope.set(model, new Set([...(scope.get(model) ?? []), ...operationsOf(letters)]));
  return scope;
}

/** Of rights that somebody gives away, the first model with one that they do not have themselves; null where all are theirs. */
export function firstNotOwn(ctx: Ctx, rights: KeptRights): string | null {
  const registry = ctx.get(modelRegistry);
  const isOwn = (model: string, letter: string): boolean => {
    const operation = operationByLetter[letter];
    return operation !== undefined && registry.get(model) !== undefined && mayOperate(ctx, registry, model, operation);
  };
  const found = Object.entries(rights).find(([model, letters]) => ![...letters].every((one) => isOwn(model, one)));
  return found?.[0] ?? null;
}
