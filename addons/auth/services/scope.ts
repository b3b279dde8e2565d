import type { Ctx } from 'pergola';
import { type KeptRights, models, type Operation, operationsOf } from 'pergola/orm';
import { ownText } from 'pergola/pages';

/** Describes a token's scope, one line per model; `*` means all models. */
export function describeScope(ctx: Ctx, scope: KeptRights): string {
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

/** Label of an operation. */
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
