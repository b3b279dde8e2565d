import type { Ctx } from '@pergola/core';
import { NotAllowed } from '@pergola/core';
import { ownText } from '@pergola/texts';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import type { ModelRegistry } from '../registry.ts';
import { modelRegistry } from '../registry-key.ts';
import type { Operation } from './compiled.ts';

/**
 * Whether the user's access lists or roles allow the operation on the model at all, within the scope of their credential; rules then decide
 * about records.
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
 * Checks the scope of a limited credential for actions that are open to everyone, regardless of rights: it must cover at least one of the
 * operations.
 *
 * @throws NotAllowed (`core.out_of_scope`)
 */
export function requireScope({ ctx, compiled }: BoundModel, operations: readonly [Operation, ...Operation[]]): void {
  if (ctx.su || operations.some((operation) => isInScope(ctx, compiled.name, operation))) return;
  throw outOfScope(ctx, compiled, operations[0]);
}

/** Whether the scope of the user's credential covers the operation; credentials without a scope cover everything. */
function isInScope({ user: { scope } }: Ctx, model: string, operation: Operation): boolean {
  return scope === undefined || [model, '*'].some((name) => scope.get(name)?.has(operation));
}

/**
 * Returns the context without the scope of its user's credential, for results that depend on the model rather than the caller: the records
 * a rule covers, the values of a computed field. Rights stay.
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

/** Error for programs whose token doesn't cover an operation that its user may perform. */
function outOfScope(ctx: Ctx, { name, addon, label }: CompiledModel, operation: Operation): NotAllowed {
  const covered = [...(ctx.user.scope ?? [])].map(([model, operations]) => `${model} (${[...operations].join(', ')})`);
  return new NotAllowed('This access token doesn’t allow “{operation}” on “{label}” ({model}). It allows: {covered}', {
    code: 'core.out_of_scope',
    params: { operation, label: ownText(ctx, addon, label), model: name, covered: covered.join('; ') },
  });
}

/** Error for users without the right to this operation on the model. */
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
 * Whether the user may learn anything about the field's value. Secret values are never readable unless rights are lifted. Writing is
 * separate ({@link mayUseField}): users set passwords that they never read.
 */
export function mayReadField(ctx: Ctx, field: CompiledField): boolean {
  return mayUseField(ctx, field) && (ctx.su || !field.secret);
}

/** Whether reading the field is limited to some users, so that a query that names it has to check the reader. */
export function isRestricted({ groups, secret }: CompiledField): boolean {
  return secret || groups.length > 0;
}

/** @throws NotAllowed (`core.field_denied`) for fields that the user may not use this way. */
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

/** Returns whether forms and calls may change a field, judging by the field alone. */
export function isWritable(field: CompiledField): boolean {
  return !field.base && takesValues(field) && !field.secret && field.options.readonly !== true;
}

/** Returns whether `create` and `write` take values for a field: it isn't calculated, or passes them on (`inverse`, `writable`). */
export function takesValues({ compute, related, options }: CompiledField): boolean {
  return compute ? options.inverse !== undefined : !related || options.writable === true;
}
