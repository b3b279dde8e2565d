import type { AccessScope, Ctx } from '#core';
import { models, type Operation } from '#core/orm';
import { ownText } from '#core/pages';

/** What a token covers, as it is kept: letters of `r`ead, `w`rite, `c`reate and `d`elete by model, `*` for all of them. */
export type Scope = Readonly<Record<string, string>>;

const byLetter: Readonly<Record<string, Operation>> = { r: 'read', w: 'write', c: 'create', d: 'unlink' };

/** The operations that letters stand for. */
export function operationsOf(letters: string): readonly Operation[] {
  return [...letters].flatMap((letter) => byLetter[letter] ?? []);
}

/** The scope as the model layer looks at it. */
export function accessScope(scope: Scope): AccessScope {
  return new Map(Object.entries(scope).map(([name, letters]) => [name, new Set(operationsOf(letters))]));
}

/** In words, a line for each model. */
export function describeScope(ctx: Ctx, scope: Scope): string {
  const registry = ctx.get(models);
  return Object.entries(scope)
    .map(([name, letters]) => {
      const model = registry.get(name);
      const label = name === '*' ? ctx.t('Everything') : model ? ownText(ctx, model.addon, model.label) : name;
      return `${label}: ${operationsOf(letters)
        .map((operation) => operationText(ctx, operation))
        .join(', ')}`;
    })
    .join('\n');
}

/** What people call an operation. */
export function operationText(ctx: Ctx, operation: Operation): string {
  switch (operation) {
    case 'read':
      return ctx.t('read');
    case 'write':
      return ctx.t('change');
    case 'create':
      return ctx.t('create');
    default:
      return ctx.t('delete');
  }
}
