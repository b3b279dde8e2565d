import { mayUseField, requireRight } from '../access/rights.ts';
import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { WriteOperation } from './operation.ts';
import { requireRecords } from './rights.ts';
import { selectIds, selectRows } from './sql.ts';
import { decodeValue, textsOf } from './stored.ts';

/** Duplicates a record, with `values` over what is taken from it. Lines come along where their field says `copy`. */
export async function copyIn(operation: WriteOperation, bound: BoundModel, id: Id, values: AnyValues): Promise<Id> {
  const copied = await copiedValues(operation, bound, id, new Set(Object.keys(values)));
  // Whoever may read a record may make another that leads where it leads.
  const trusted = new Set(Object.keys(copied));
  const [made] = await operation.create(bound, [{ ...copied, ...values }], { trusted });
  if (made === undefined) throw new Error(`copy of ${bound.compiled.name} made no record`);
  return made;
}

async function copiedValues(
  operation: WriteOperation,
  bound: BoundModel,
  id: Id,
  without: ReadonlySet<string>,
): Promise<Record<string, unknown>> {
  const { compiled, codec } = bound;
  requireRight(bound, 'read');
  await requireRecords(bound, [id], 'read', { evenSudo: true });
  const fields = [...compiled.fields.values()].filter((field) => isCopied(bound, field) && !without.has(field.name));
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

/** Linked records stay the same ones; lines are duplicated too. */
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
  const by = { column: relation.inverseColumn, ids: [id] };
  const ids = await selectIds(operation.transaction, lines.compiled.table, 'id', by);
  const commands: unknown[] = [];
  for (const line of ids) {
    commands.push({ create: await copiedValues(operation, lines, line, new Set([relation.inverse])) });
  }
  return commands;
}
