import type { AccessScope, Ctx } from '@pergola/core';
import { modelRegistry } from '../registry-key.ts';
import type { Operation } from './compiled.ts';
import { mayOperate } from './rights.ts';

/** Stored rights by model: letters of `r`ead, `w`rite, `c`reate and `d`elete, as in access lists. */
export type KeptRights = Readonly<Record<string, string>>;

/** Operation for each letter of rights, in reading order. */
export const operationByLetter: Readonly<Record<string, Operation>> = {
  r: 'read',
  w: 'write',
  c: 'create',
  d: 'unlink',
};

/** Returns the operations of the letters; ignores other letters. */
export function operationsOf(letters: string): readonly Operation[] {
  return [...letters].flatMap((letter) => operationByLetter[letter] ?? []);
}

/** Merges stored rights into a scope for the model layer. */
export function scopeOfRights(...all: readonly KeptRights[]): AccessScope {
  const scope = new Map<string, Set<Operation>>();
  for (const [model, letters] of all.flatMap((rights) => Object.entries(rights)))
    scope.set(model, new Set([...(scope.get(model) ?? []), ...operationsOf(letters)]));
  return scope;
}

/**
 * Returns the first model in `rights` with a right that the user doesn't have, or null if they have all of them. For granting rights to
 * others.
 */
export function firstNotOwn(ctx: Ctx, rights: KeptRights): string | null {
  const registry = ctx.get(modelRegistry);
  const isOwn = (model: string, letter: string): boolean => {
    const operation = operationByLetter[letter];
    return operation !== undefined && registry.get(model) !== undefined && mayOperate(ctx, registry, model, operation);
  };
  const excess = Object.entries(rights).find(
    ([model, letters]) => ![...letters].every((letter) => isOwn(model, letter)),
  );
  return excess?.[0] ?? null;
}
