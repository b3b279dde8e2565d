import { InvalidInput } from '@pergola/core';
import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField, ToLines } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { Command } from './commands.ts';
import type { LinePlaces, ThroughField } from './create.ts';
import { applyLinks } from './many2many.ts';
import type { WriteOperation } from './operation.ts';
import { ofLines, Problems, throughField } from './problems.ts';
import { reportMissing } from './rights.ts';
import { selectRows } from './sql.ts';
import { unlinkIn } from './unlink.ts';

/** Commands for the records of one parent. */
export interface ForRecord {
  readonly id: Id;
  readonly commands: readonly Command[];
}

/** Applies the value of an x2many field; lines are written with the caller's rights on them. */
export async function applyCommands(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  records: readonly ForRecord[],
  options: { readonly isNew: boolean },
): Promise<void> {
  const { relation } = field;
  if (relation?.kind === 'one2many') await applyLines(operation, bound, field, relation, records);
  else if (relation?.kind === 'many2many') await applyLinks(operation, bound, field, relation, records, options);
}

async function applyLines(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  relation: ToLines,
  records: readonly ForRecord[],
): Promise<void> {
  const lines = bindOther(bound, relation.to);
  const context: Lines = { operation, bound, field, relation, lines };
  await checkOwnLines(context, records);
  const created: AnyValues[] = [];
  const places: number[] = [];
  for (const { id, commands } of records) {
    for (const [place, command] of commands.entries()) {
      if (command.kind === 'create') {
        created.push({ ...command.values, [relation.inverse]: id });
        places.push(place);
      } else {
        const apply = (): Promise<void> => applyLine(context, id, command, throughOf(context, [place]));
        await throughField(bound, field, () => ofLines(lines, [command], [place], apply));
      }
    }
  }
  // Creates the lines of all records together.
  const ids = await throughField(bound, field, () => operation.create(lines, created, throughOf(context, places)));
  operation.trial?.addLines(field, places, ids);
}

/** Returns the origin for lines at these positions. */
function throughOf({ bound, field, relation }: Lines, places: readonly number[]): ThroughField {
  const inField: LinePlaces['inField'] = (work) => throughField(bound, field, work);
  return { trusted: new Set([relation.inverse]), lines: { places, inField } };
}

interface Lines {
  readonly operation: WriteOperation;
  readonly bound: BoundModel;
  readonly field: CompiledField;
  readonly relation: ToLines;
  readonly lines: BoundModel;
}

async function applyLine(
  context: Lines,
  parent: Id,
  command: Exclude<Command, { kind: 'create' }>,
  origin: ThroughField,
): Promise<void> {
  const { operation, lines } = context;
  switch (command.kind) {
    case 'update':
      return operation.write(lines, [command.id], command.values, { ...origin, trusted: new Set() });
    case 'delete':
      return unlinkIn(operation, lines, [command.id]);
    case 'link':
      return take(context, parent, [command.id], origin);
    case 'unlink':
      return release(context, [command.id]);
    case 'set': {
      const present = await linesOf(context, [parent]);
      const newIds = new Set(command.ids);
      await release(
        context,
        [...present.keys()].filter((id) => !newIds.has(id)),
      );
      return take(
        context,
        parent,
        command.ids.filter((id) => !present.has(id)),
        origin,
      );
    }
  }
}

/** Moves lines to the parent. */
function take(
  { operation, lines, relation }: Lines,
  parent: Id,
  ids: readonly Id[],
  origin: ThroughField,
): Promise<void> {
  if (ids.length === 0) return Promise.resolve();
  return operation.write(lines, ids, { [relation.inverse]: parent }, origin);
}

/** Deletes lines that require a parent; others are kept without one, unless they would then apply to everything. */
function release({ operation, lines, relation }: Lines, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return Promise.resolve();
  const inverse = lines.compiled.fields.get(relation.inverse);
  const isBound =
    inverse?.required || (inverse?.relation?.kind === 'many2one' && inverse.relation.ondelete === 'cascade');
  if (!isBound && inverse?.options.empty === 'all') {
    throw new InvalidInput('If you remove it here, it would apply to everything. Delete it instead.', {
      code: 'core.rule_emptied',
    });
  }
  return isBound ? unlinkIn(operation, lines, ids) : operation.write(lines, ids, { [relation.inverse]: null });
}

/** Returns the parents by line. */
async function linesOf({ operation, lines, relation }: Lines, parents: readonly Id[]): Promise<Map<Id, Id>> {
  const column = relation.inverseColumn;
  const rows = await selectRows(operation.transaction, lines.compiled.table, ['id', column], { column, ids: parents });
  return new Map(rows.map((row) => [Number(row.id), Number(row[column])]));
}

/** Rejects commands that change, delete or release lines of other records. */
async function checkOwnLines(context: Lines, records: readonly ForRecord[]): Promise<void> {
  const lineRefs = records.flatMap(({ id, commands }) =>
    commands.flatMap((command) =>
      command.kind === 'update' || command.kind === 'delete' || command.kind === 'unlink'
        ? [{ parent: id, line: command.id }]
        : [],
    ),
  );
  if (lineRefs.length === 0) return;
  const parents = await linesOf(
    context,
    records.map(({ id }) => id),
  );
  const problems = new Problems(context.bound.ctx, context.bound.compiled);
  const foreign = lineRefs.filter(({ parent, line }) => parents.get(line) !== parent).map(({ line }) => line);
  reportMissing(problems, context.field, foreign, new Set());
  problems.throwIfAny();
}
