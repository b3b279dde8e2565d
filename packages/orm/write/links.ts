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

/** Carries out what an x2many field was given; lines are written under the caller's rights for them. */
export async function applyCommands(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  records: readonly ForRecord[],
  about: { readonly isNew: boolean },
): Promise<void> {
  const { relation } = field;
  if (relation?.kind === 'one2many') await applyLines(operation, bound, field, relation, records);
  else if (relation?.kind === 'many2many') await applyLinks(operation, bound, field, relation, records, about);
}

async function applyLines(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  relation: ToLines,
  records: readonly ForRecord[],
): Promise<void> {
  const lines = bindOther(bound, relation.to);
  const scene: Lines = { operation, bound, field, relation, lines };
  await checkOwnLines(scene, records);
  const created: AnyValues[] = [];
  const places: number[] = [];
  for (const { id, commands } of records) {
    for (const [place, command] of commands.entries()) {
      if (command.kind === 'create') {
        created.push({ ...command.values, [relation.inverse]: id });
        places.push(place);
      } else {
        const apply = (): Promise<void> => applyLine(scene, id, command, throughOf(scene, [place]));
        await throughField(bound, field, () => ofLines(lines, [command], [place], apply));
      }
    }
  }
  // All lines of all records at once.
  const ids = await throughField(bound, field, () => operation.create(lines, created, throughOf(scene, places)));
  operation.trial?.made(field, places, ids);
}

/** The lines that stand in these places. */
function throughOf({ bound, field, relation }: Lines, places: readonly number[]): ThroughField {
  const said: LinePlaces['said'] = (work) => throughField(bound, field, work);
  return { trusted: new Set([relation.inverse]), lines: { places, said } };
}

interface Lines {
  readonly operation: WriteOperation;
  readonly bound: BoundModel;
  readonly field: CompiledField;
  readonly relation: ToLines;
  readonly lines: BoundModel;
}

async function applyLine(
  scene: Lines,
  parent: Id,
  command: Exclude<Command, { kind: 'create' }>,
  through: ThroughField,
): Promise<void> {
  const { operation, lines } = scene;
  switch (command.kind) {
    case 'update':
      return operation.write(lines, [command.id], command.values, { ...through, trusted: new Set() });
    case 'delete':
      return unlinkIn(operation, lines, [command.id]);
    case 'link':
      return take(scene, parent, [command.id], through);
    case 'unlink':
      return release(scene, [command.id]);
    case 'set': {
      const present = await linesOf(scene, [parent]);
      const wanted = new Set(command.ids);
      await release(
        scene,
        [...present.keys()].filter((id) => !wanted.has(id)),
      );
      return take(
        scene,
        parent,
        command.ids.filter((id) => !present.has(id)),
        through,
      );
    }
  }
}

/** Moves lines here. */
function take(
  { operation, lines, relation }: Lines,
  parent: Id,
  ids: readonly Id[],
  through: ThroughField,
): Promise<void> {
  if (ids.length === 0) return Promise.resolve();
  return operation.write(lines, ids, { [relation.inverse]: parent }, through);
}

/** Lines that cannot be without their parent go; others stay without one, unless they would apply to everything then. */
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

/** Parents by line. */
async function linesOf({ operation, lines, relation }: Lines, parents: readonly Id[]): Promise<Map<Id, Id>> {
  const column = relation.inverseColumn;
  const rows = await selectRows(operation.transaction, lines.compiled.table, ['id', column], { column, ids: parents });
  return new Map(rows.map((row) => [Number(row.id), Number(row[column])]));
}

/** Commands may change, delete or release lines of the record they are for, and no others. */
async function checkOwnLines(scene: Lines, records: readonly ForRecord[]): Promise<void> {
  const named = records.flatMap(({ id, commands }) =>
    commands.flatMap((command) =>
      command.kind === 'update' || command.kind === 'delete' || command.kind === 'unlink'
        ? [{ parent: id, line: command.id }]
        : [],
    ),
  );
  if (named.length === 0) return;
  const parents = await linesOf(
    scene,
    records.map(({ id }) => id),
  );
  const problems = new Problems(scene.bound.ctx, scene.bound.compiled);
  const foreign = named.filter(({ parent, line }) => parents.get(line) !== parent).map(({ line }) => line);
  reportMissing(problems, scene.field, foreign, new Set());
  problems.throwIfAny();
}
