import { NotAllowed, NotFound } from '@pergola/core';
import { ownText } from '@pergola/texts';
import { allowedIds } from '../access/allowed.ts';
import type { Operation } from '../access/compiled.ts';
import { isUnlimited } from '../access/guard.ts';
import { mayUseField, requireFields } from '../access/rights.ts';
import { bindOther, hasOwn } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { linkedBy } from './commands.ts';
import type { ThroughField } from './create.ts';
import { FieldProblem, nameRecords, Problems } from './problems.ts';
import { selectIds } from './sql.ts';

/** @throws NotAllowed for a model whose rows are only ever added, unless rights are lifted. */
export function requireChangeable({ ctx, compiled }: BoundModel): void {
  if (!compiled.options.appendOnly || ctx.su) return;
  throw new NotAllowed('“{model}” records can’t be changed.', {
    code: 'core.append_only',
    params: { model: ownText(ctx, compiled.addon, compiled.label) },
  });
}

/** @throws NotAllowed for fields that belong to groups the caller is not in; names that are no fields are refused elsewhere. */
export function requireFieldsNamed({ ctx, compiled }: BoundModel, names: Iterable<string>): void {
  requireFields(
    ctx,
    [...names].flatMap((name) => compiled.fields.get(name) ?? []),
    mayUseField,
  );
}

/**
 * @throws NotFound when one of the records is not there or hidden from the caller, NotAllowed when the caller sees it and the record rules
 * forbid the operation. With rights lifted nothing is looked at unless `evenSudo` says so.
 */
export async function requireRecords(
  bound: BoundModel,
  ids: readonly Id[],
  operation: Operation,
  { evenSudo = false }: { evenSudo?: boolean } = {},
): Promise<void> {
  if (bound.ctx.su && !evenSudo) return;
  const allowed = new Set(await permitted(bound, ids, operation));
  const missing = ids.filter((id) => !allowed.has(id));
  if (missing.length === 0) return;
  const label = ownText(bound.ctx, bound.compiled.addon, bound.compiled.label);
  const readable = operation === 'create' ? missing : await bound.self.allowed(missing, 'read');
  if (readable.length < missing.length) {
    throw new NotFound('“{model}” not found: {records}.', {
      code: 'core.no_record',
      params: { model: label, records: nameRecords(missing.filter((id) => !readable.includes(id))) },
    });
  }
  throw ruleDenied(operation, { model: label, records: operation === 'create' ? '' : nameRecords(missing) });
}

/** @throws as {@link requireRecords}, where record rules decide at all: where none does, nothing is looked at. */
export async function requireLimited(
  bound: BoundModel,
  ids: readonly Id[],
  operation: 'create' | 'write',
): Promise<void> {
  const { ctx, registry, compiled } = bound;
  // Most users have no rules to keep for most models.
  const decidesItself = hasOwn(compiled, 'allowed');
  if (!decidesItself && (await isUnlimited(ctx, registry, compiled.name, operation))) return;
  await requireRecords(bound, ids, operation);
}

/** Models may narrow down themselves which records are allowed (`allowed`), but for new ones. */
function permitted(bound: BoundModel, ids: readonly Id[], operation: Operation): Promise<Id[]> {
  return operation === 'create' ? allowedIds(bound, ids, operation) : bound.self.allowed(ids, operation);
}

function ruleDenied(operation: Operation, params: Readonly<Record<string, string>>): NotAllowed {
  const details = { code: 'core.rule_denied', params };
  switch (operation) {
    case 'create':
      return new NotAllowed(
        'The access rules for “{model}” don’t allow you to create a record with these values.',
        details,
      );
    case 'write':
      return new NotAllowed(
        'The access rules for “{model}” don’t allow you to make this change to these records: {records}.',
        details,
      );
    case 'unlink':
      return new NotAllowed(
        'The access rules for “{model}” don’t allow you to delete these records: {records}.',
        details,
      );
    case 'read':
      return new NotAllowed(
        'The access rules for “{model}” don’t allow you to read these records: {records}.',
        details,
      );
  }
}

/**
 * Every record that the caller links to must be one the caller may read, so that nobody reaches, or finds out about, what is hidden: the text is
 * the same for records that are hidden and that are not there.
 */
export async function checkTargets(
  bound: BoundModel,
  given: readonly AnyValues[],
  problems: Problems,
  through?: ThroughField,
): Promise<void> {
  const { ctx, compiled } = bound;
  if (ctx.su) return;
  for (const [field, ids] of targetsOf(bound, given)) {
    if (through?.trusted.has(field.name) || !field.relation) continue;
    const readable = new Set(await bindOther(bound, field.relation.to).self.allowed([...ids], 'read'));
    const places = through?.lines?.places;
    if (!places) {
      reportMissing(problems, field, ids, readable);
      continue;
    }
    for (const [index, values] of given.entries()) {
      const own = new Problems(ctx, compiled);
      reportMissing(own, field, idsIn(field, values[field.name]), readable);
      if (own.any) problems.takeOver(String(places[index] ?? index), own.error());
    }
  }
}

/** Reports those of the ids that are not there for a field to lead to. */
export function reportMissing(
  problems: Problems,
  field: CompiledField,
  ids: Iterable<Id>,
  there: Pick<ReadonlySet<Id>, 'has'>,
): void {
  const missing = [...new Set(ids)].filter((id) => !there.has(id));
  if (missing.length === 0) return;
  problems.add(field.name, new FieldProblem('Record not found: {records}.', { records: nameRecords(missing) }));
}

/** Which of the ids are records of a model, whoever may see them. */
export async function existing(bound: BoundModel, ids: readonly Id[]): Promise<Set<Id>> {
  return new Set(await selectIds(bound.connection, bound.compiled.table, 'id', { column: 'id', ids }));
}

function targetsOf({ compiled }: BoundModel, given: readonly AnyValues[]): Map<CompiledField, Set<Id>> {
  const targets = new Map<CompiledField, Set<Id>>();
  for (const values of given) {
    for (const [name, value] of Object.entries(values)) {
      const field = compiled.fields.get(name);
      if (!field?.relation) continue;
      const ids = idsIn(field, value);
      if (ids.length > 0) targets.set(field, new Set([...(targets.get(field) ?? []), ...ids]));
    }
  }
  return targets;
}

/** Ids a value leads to; what does not read as ids is somebody else's to refuse. */
function idsIn(field: CompiledField, value: unknown): readonly Id[] {
  if (field.relation?.kind === 'many2one')
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [value] : [];
  return linkedBy(value);
}
