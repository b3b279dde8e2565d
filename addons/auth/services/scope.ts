import type { Ctx } from 'pergola';
import { type KeptRights, models, type Operation, operationsOf } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { t } from '../texts.ts';

/** Describes a token's scope, one line per model; `*` means all models. */
export function describeScope(ctx: Ctx, scope: KeptRights): string {
  const registry = ctx.get(models);
  return Object.entries(scope)
    .map(([name, letters]) => {
      const model = registry.get(name);
      const label = name === '*' ? t(ctx, 'Everything') : model ? ownText(ctx, model.addon, model.label) : name;
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
      return t(ctx, 'read');
    case 'write':
      return t(ctx, 'edit');
    case 'create':
      return t(ctx, 'create');
    default:
      return t(ctx, 'delete');
  }
}
