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

/** @throws NotAllowed for append-only models, unless rights are lifted. */
export function requireChangeable({ ctx, compiled }: BoundModel): void {
  if (!compiled.options.appendOnly || ctx.su) return;
  throw new NotAllowed('“{model}” records can’t be changed.', {
    code: 'core.append_only',
    params: { model: ownText(ctx, compiled.addon, compiled.label) },
  });
}

/** @throws NotAllowed for fields whose groups don't include the caller; unknown names are rejected elsewhere. */
export function requireFieldsNamed({ ctx, compiled }: BoundModel, names: Iterable<string>): void {
  requireFields(
    ctx,
    [...names].flatMap((name) => compiled.fields.get(name) ?? []),
    mayUseField,
  );
}

/**
 * @throws NotFound if a record doesn't exist or is hidden from the caller, NotAllowed if the caller may see it but record rules forbid the
 * operation. With lifted rights nothing is checked, unless `evenSudo` is set.
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

/** Like {@link requireRecords}, but skips the check if no record rule applies. */
export async function requireLimited(
  bound: BoundModel,
  ids: readonly Id[],
  operation: 'create' | 'write',
): Promise<void> {
  const { ctx, registry, compiled } = bound;
  // Most users have no rules on most models.
  const decidesItself = hasOwn(compiled, 'allowed');
  if (!decidesItself && (await isUnlimited(ctx, registry, compiled.name, operation))) return;
  await requireRecords(bound, ids, operation);
}

/** Models may restrict the allowed records with their own `allowed`, except for new ones. */
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
 * Checks that the caller may read every record it links to, so that hidden records can't be reached or detected: the text is the same for
 * hidden and missing records.
 */
export async function checkTargets(
  bound: BoundModel,
  records: readonly AnyValues[],
  problems: Problems,
  origin?: ThroughField,
): Promise<void> {
  const { ctx, compiled } = bound;
  if (ctx.su) return;
  for (const [field, ids] of targetsOf(bound, records)) {
    if (origin?.trusted.has(field.name) || !field.relation) continue;
    const readable = new Set(await bindOther(bound, field.relation.to).self.allowed([...ids], 'read'));
    const places = origin?.lines?.places;
    if (!places) {
      reportMissing(problems, field, ids, readable);
      continue;
    }
    for (const [index, values] of records.entries()) {
      const lineProblems = new Problems(ctx, compiled);
      reportMissing(lineProblems, field, idsIn(field, values[field.name]), readable);
      if (lineProblems.any) problems.takeOver(String(places[index] ?? index), lineProblems.error());
    }
  }
}

/** Reports ids that aren't available as targets of a field. */
export function reportMissing(
  problems: Problems,
  field: CompiledField,
  ids: Iterable<Id>,
  availableIds: Pick<ReadonlySet<Id>, 'has'>,
): void {
  const missing = [...new Set(ids)].filter((id) => !availableIds.has(id));
  if (missing.length === 0) return;
  problems.add(field.name, new FieldProblem('Record not found: {records}.', { records: nameRecords(missing) }));
}

/** Returns the ids that exist, whether or not the caller may see them. */
export async function existing(bound: BoundModel, ids: readonly Id[]): Promise<Set<Id>> {
  return new Set(await selectIds(bound.connection, bound.compiled.table, 'id', { column: 'id', ids }));
}

function targetsOf({ compiled }: BoundModel, records: readonly AnyValues[]): Map<CompiledField, Set<Id>> {
  const targets = new Map<CompiledField, Set<Id>>();
  for (const values of records) {
    for (const [name, value] of Object.entries(values)) {
      const field = compiled.fields.get(name);
      if (!field?.relation) continue;
      const ids = idsIn(field, value);
      if (ids.length > 0) targets.set(field, new Set([...(targets.get(field) ?? []), ...ids]));
    }
  }
  return targets;
}

/** Ids in a value; invalid values are rejected elsewhere. */
function idsIn(field: CompiledField, value: unknown): readonly Id[] {
  if (field.relation?.kind === 'many2one')
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [value] : [];
  return linkedBy(value);
}
