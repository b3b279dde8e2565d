import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField, ToMany } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { ForRecord } from './links.ts';
import type { WriteOperation } from './operation.ts';
import { FieldProblem, Problems, throughField } from './problems.ts';
import { namesOf } from './references.ts';
import { existing, reportMissing } from './rights.ts';
import { deleteRows, insertLinks, selectIds, selectRows } from './sql.ts';
import { unlinkIn } from './unlink.ts';

/** Applies commands to a many2many field. */
export async function applyLinks(
  operation: WriteOperation,
  bound: BoundModel,
  field: CompiledField,
  relation: ToMany,
  records: readonly ForRecord[],
  { isNew }: { readonly isNew: boolean },
): Promise<void> {
  const context: Links = { operation, bound, field, relation, isNew, targets: bindOther(bound, relation.to) };
  const ids = records.map(({ id }) => id);
  const before = isNew ? new Map<Id, Set<Id>>() : await linksOf(context, ids);
  const after = new Map<Id, Set<Id>>();
  for (const record of records) {
    after.set(record.id, await applyToRecord(context, record, before.get(record.id) ?? new Set()));
  }
  await store(context, before, after);
}

interface Links {
  readonly operation: WriteOperation;
  readonly bound: BoundModel;
  readonly field: CompiledField;
  readonly relation: ToMany;
  readonly isNew: boolean;
  readonly targets: BoundModel;
}

/** Returns a record's links after its commands; creates, changes and deletes linked records on the way. */
async function applyToRecord(context: Links, { commands }: ForRecord, before: ReadonlySet<Id>): Promise<Set<Id>> {
  const { operation, targets, bound, field } = context;
  const inField = <T>(work: () => Promise<T>) => throughField(bound, field, work);
  let links = new Set(before);
  for (const command of commands) {
    switch (command.kind) {
      case 'set':
        links = new Set(command.ids);
        break;
      case 'link':
        links.add(command.id);
        break;
      case 'unlink':
        links.delete(command.id);
        break;
      case 'create':
        for (const id of await inField(() => operation.create(targets, [command.values]))) links.add(id);
        break;
      case 'update':
        requireLinked(context, links, command.id);
        await inField(() => operation.write(targets, [command.id], command.values));
        break;
      case 'delete':
        requireLinked(context, links, command.id);
        links.delete(command.id);
        await inField(() => unlinkIn(operation, targets, [command.id]));
        break;
    }
  }
  return links;
}

function requireLinked({ bound, field }: Links, links: ReadonlySet<Id>, id: Id): void {
  const problems = new Problems(bound.ctx, bound.compiled);
  reportMissing(problems, field, [id], links);
  problems.throwIfAny();
}

async function linksOf({ operation, relation }: Links, ids: readonly Id[]): Promise<Map<Id, Set<Id>>> {
  const { table, from, toColumn } = relation;
  const links = new Map<Id, Set<Id>>();
  for (const row of await selectRows(operation.transaction, table, [from, toColumn], { column: from, ids })) {
    const id = Number(row[from]);
    links.set(id, (links.get(id) ?? new Set()).add(Number(row[toColumn])));
  }
  return links;
}

async function store(
  context: Links,
  before: ReadonlyMap<Id, ReadonlySet<Id>>,
  after: ReadonlyMap<Id, ReadonlySet<Id>>,
): Promise<void> {
  const { operation, bound, field, relation } = context;
  const added: [Id, Id][] = [];
  const removed: [Id, Id][] = [];
  for (const [id, links] of after) {
    const previous = before.get(id) ?? new Set();
    for (const link of links.difference(previous)) added.push([id, link]);
    for (const link of previous.difference(links)) removed.push([id, link]);
    if (field.options.tracked && !context.isNew && links.symmetricDifference(previous).size > 0) {
      operation.track(bound.compiled, field, id, [...previous].sort(ascending), [...links].sort(ascending));
    }
  }
  if (added.length === 0 && removed.length === 0) return;
  await requireExisting(
    context,
    added.map(([, link]) => link),
  );
  operation.recorder(bound.compiled)?.linked(field, added, removed);
  for (const [link, pairs] of Map.groupBy(removed, ([, link]) => link)) {
    await deleteRows(operation.transaction, relation.table, [
      { column: relation.from, ids: pairs.map(([id]) => id) },
      { column: relation.toColumn, ids: [link] },
    ]);
  }
  const tables = [bound.compiled.table, context.targets.compiled.table] as const;
  await insertLinks(operation.transaction, relation.table, [relation.from, relation.toColumn], tables, added);
  operation.touchLinks(bound.compiled, relation.table);
  const reverseField = otherSide(context);
  if (!reverseField) return;
  const idsOf = (pairs: readonly (readonly [Id, Id])[]): Id[] => [...new Set(pairs.map(([, link]) => link))];
  await operation.recomputation.changed(context.targets.compiled, [reverseField.name], idsOf([...added, ...removed]));
  operation.check(() => checkLosers(context, reverseField, idsOf(removed)));
}

/** Ids set by code may be missing just like ids from callers, and the database error wouldn't name them. */
async function requireExisting({ bound, targets, field }: Links, ids: readonly Id[]): Promise<void> {
  const problems = new Problems(bound.ctx, bound.compiled);
  reportMissing(problems, field, ids, await existing(targets, ids));
  problems.throwIfAny();
}

/** Returns the field on the target model that shows the same links. */
function otherSide({ targets, relation }: Links): CompiledField | undefined {
  return [...targets.compiled.fields.values()].find(
    ({ relation: otherRelation }) =>
      otherRelation?.kind === 'many2many' &&
      otherRelation.table === relation.table &&
      otherRelation.from === relation.toColumn,
  );
}

/**
 * Validates records that lost links because these were removed at the other end as if they had been written themselves, and rejects the
 * removal if an empty list would make them apply to everything.
 *
 * @throws InvalidInput
 */
async function checkLosers(context: Links, reverseField: CompiledField, ids: readonly Id[]): Promise<void> {
  const { operation, targets, bound, field, relation } = context;
  const losers = operation.notDeleted(targets.compiled, ids);
  if (losers.length === 0) return;
  if (reverseField.options.empty === 'all') {
    const { table, toColumn } = relation;
    const linked = await selectIds(operation.transaction, table, toColumn, { column: toColumn, ids: losers });
    const emptied = losers.filter((id) => !linked.includes(id));
    if (emptied.length > 0) {
      const names = await namesOf(operation, targets.compiled, emptied);
      const problems = new Problems(bound.ctx, bound.compiled);
      const text = 'Without this, {records} would apply to everything. Change or delete it there instead.';
      problems.add(field.name, new FieldProblem(text, { records: names ?? '' }));
      problems.throwIfAny();
    }
  }
  await operation.validate(operation.system(targets.compiled.name), losers, [reverseField.name]);
}

function ascending(a: Id, b: Id): number {
  return a - b;
}
