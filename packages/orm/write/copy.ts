import { mayUseField, requireRight } from '../access/rights.ts';
import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { WriteOperation } from './operation.ts';
import { requireRecords } from './rights.ts';
import { selectIds, selectRows } from './sql.ts';
import { decodeValue, textsOf } from './stored.ts';

/** Duplicates a record, with `values` overriding the original's. Lines are duplicated if their field has `copy`. */
export async function copyIn(operation: WriteOperation, bound: BoundModel, id: Id, values: AnyValues): Promise<Id> {
  const copied = await copiedValues(operation, bound, id, new Set(Object.keys(values)));
  // The copy may link to the same records as the original, even to ones the caller can't read.
  const trusted = new Set(Object.keys(copied));
  const [copyId] = await operation.create(bound, [{ ...copied, ...values }], { trusted });
  if (copyId === undefined) throw new Error(`copy of ${bound.compiled.name} made no record`);
  return copyId;
}

async function copiedValues(
  operation: WriteOperation,
  bound: BoundModel,
  id: Id,
  excludedNames: ReadonlySet<string>,
): Promise<Record<string, unknown>> {
  const { compiled, codec } = bound;
  requireRight(bound, 'read');
  await requireRecords(bound, [id], 'read', { evenSudo: true });
  const fields = [...compiled.fields.values()].filter(
    (field) => isCopied(bound, field) && !excludedNames.has(field.name),
  );
  const columns = fields.flatMap(({ column }) => column ?? []);
  const [row = {}] = await selectRows(operation.transaction, compiled.table, ['id', ...columns], {
    column: 'id',
    ids: [id],
  });
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    values[field.name] =
      field.column === null
        ? await copiedLinks(operation, bound, field, id)
        : copiedValue(field, decodeValue(codec, field, row[field.column]));
  }
  return values;
}

function copiedValue(field: CompiledField, value: unknown): unknown {
  return field.translated && value !== null ? textsOf(value) : value;
}

function isCopied(bound: BoundModel, field: CompiledField): boolean {
  const { base, compute, related, secret, options, relation } = field;
  if (base || compute || related || secret || !mayUseField(bound.ctx, field)) return false;
  return options.copy ?? !(options.unique || relation?.kind === 'one2many');
}

/** Linked records are shared with the copy; lines are duplicated. */
async function copiedLinks(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  id: Id,
): Promise<unknown> {
  const { relation } = field;
  if (relation?.kind === 'many2many') {
    return selectIds(operation.transaction, relation.table, relation.toColumn, { column: relation.from, ids: [id] });
  }
  if (relation?.kind !== 'one2many') return null;
  const lines = bindOther(bound, relation.to);
  const filter = { column: relation.inverseColumn, ids: [id] };
  const ids = await selectIds(operation.transaction, lines.compiled.table, 'id', filter);
  const commands: unknown[] = [];
  for (const line of ids) {
    commands.push({ create: await copiedValues(operation, lines, line, new Set([relation.inverse])) });
  }
  return commands;
}
