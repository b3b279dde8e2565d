import type { Ctx } from '@pergola/core';
import { NotAllowed } from '@pergola/core';
import { ownText } from '@pergola/texts';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import type { ModelRegistry } from '../registry.ts';
import { modelRegistry } from '../registry-key.ts';
import type { Operation } from './compiled.ts';

/**
 * Whether the user's access lists or roles allow the operation on the model at all, and the scope they came with covers it; rules then say on which records.
 */
export function mayOperate(ctx: Ctx, registry: ModelRegistry, model: string, operation: Operation): boolean {
  if (ctx.su) return true;
  if (!isInScope(ctx, model, operation)) return false;
  if (ctx.user.grants?.get(model)?.has(operation)) return true;
  const rights = registry.access.rights.get(model);
  if (!rights) return false;
  for (const [group, operations] of rights) {
    if (operations.has(operation) && (group === '*' || ctx.user.groups.has(group))) return true;
  }
  return false;
}

/**
 * For what is free to everybody, whatever their rights on the model: a credential for certain things only still has to cover one of the operations.
 *
 * @throws NotAllowed (`core.out_of_scope`)
 */
export function requireScope({ ctx, compiled }: BoundModel, operations: readonly [Operation, ...Operation[]]): void {
  if (ctx.su || operations.some((operation) => isInScope(ctx, compiled.name, operation))) return;
  throw outOfScope(ctx, compiled, operations[0]);
}

/** Whether what the user came with covers the operation: everything does but a scope that leaves it out. */
function isInScope({ user: { scope } }: Ctx, model: string, operation: Operation): boolean {
  return scope === undefined || [model, '*'].some((name) => scope.get(name)?.has(operation));
}

/**
 * The same context without the scope that its user came with, for what belongs to a model rather than to whoever asks: which records a rule covers,
 * what a computed field is made of. Rights stay.
 */
export function withoutScope(ctx: Ctx): Ctx {
  return ctx.user.scope === undefined || ctx.su ? ctx : ctx.as({ user: { ...ctx.user, scope: undefined } });
}

/** @throws NotAllowed (`core.access_denied`, `core.out_of_scope`) unless the user's access lists and scope allow the operation. */
export function requireRight({ ctx, registry, compiled }: BoundModel, operation: Operation): void {
  if (mayOperate(ctx, registry, compiled.name, operation)) return;
  throw mayOperate(withoutScope(ctx), registry, compiled.name, operation)
    ? outOfScope(ctx, compiled, operation)
    : accessDenied(ctx, compiled, operation);
}

/** What a program reads whose token does not cover something that its user may do. */
function outOfScope(ctx: Ctx, { name, addon, label }: CompiledModel, operation: Operation): NotAllowed {
  const covered = [...(ctx.user.scope ?? [])].map(([model, operations]) => `${model} (${[...operations].join(', ')})`);
  return new NotAllowed('This access token doesn’t allow “{operation}” on “{label}” ({model}). It allows: {covered}', {
    code: 'core.out_of_scope',
    params: { operation, label: ownText(ctx, addon, label), model: name, covered: covered.join('; ') },
  });
}

/** What somebody reads who may not do this to records of the model. */
function accessDenied(ctx: Ctx, { name, addon, label }: CompiledModel, operation: Operation): NotAllowed {
  return new NotAllowed(
    operation === 'read'
      ? 'You don’t have permission to read “{label}” ({model}).'
      : operation === 'write'
        ? 'You don’t have permission to edit “{label}” ({model}).'
        : operation === 'create'
          ? 'You don’t have permission to create “{label}” ({model}).'
          : 'You don’t have permission to delete “{label}” ({model}).',
    { code: 'core.access_denied', params: { label: ownText(ctx, addon, label), model: name } },
  );
}

/** Whether the user is in one of the field's groups. */
export function mayUseField(ctx: Ctx, { groups }: CompiledField): boolean {
  return ctx.su || groups.length === 0 || groups.some((group) => ctx.user.groups.has(group));
}

/**
 * Whether the user may learn anything of what the field holds: nobody does of a secret one, unless rights are lifted. Writing one is another
 * matter ({@link mayUseField}): people set passwords that they never read.
 */
export function mayReadField(ctx: Ctx, field: CompiledField): boolean {
  return mayUseField(ctx, field) && (ctx.su || !field.secret);
}

/** Whether reading the field is refused to somebody, so that a query which names it has to ask who reads. */
export function isRestricted({ groups, secret }: CompiledField): boolean {
  return secret || groups.length > 0;
}

/** @throws NotAllowed (`core.field_denied`) for fields that the user may not use like this. */
export function requireFields(
  ctx: Ctx,
  fields: Iterable<CompiledField>,
  may: (ctx: Ctx, field: CompiledField) => boolean,
): void {
  for (const field of fields) {
    if (may(ctx, field)) continue;
    throw new NotAllowed('You don’t have permission to use the field “{field}” of “{model}”.', {
      code: 'core.field_denied',
      params: { field: ownText(ctx, field.addon, field.label), model: modelLabel(ctx, field.model) },
    });
  }
}

function modelLabel(ctx: Ctx, name: string): string {
  const model = ctx.get(modelRegistry).get(name);
  return model ? ownText(ctx, model.addon, model.label) : name;
}

/** Whether forms and calls may change a field, as far as the field is concerned. */
export function isWritable({ base, compute, related, options, secret }: CompiledField): boolean {
  const isOwn = compute ? options.inverse !== undefined : !related || options.writable === true;
  return !base && isOwn && !secret && options.readonly !== true;
}
