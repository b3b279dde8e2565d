import type { Ctx } from '@pergola/core';
import { Conflict } from '@pergola/core';
import type { Connection } from '@pergola/db';
import { ownText, t } from '@pergola/texts';
import { allowedIds } from '../access/allowed.ts';
import { boundOf } from '../bind.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { Ids } from '../fields.ts';
import type { ModelRegistry } from '../registry.ts';
import { selectIds } from './sql.ts';

/** A stored relation from one model to another, and its place in the database. */
export interface Reference {
  readonly field: CompiledField;
  readonly ondelete: 'restrict' | 'cascade' | 'set null';
  /** False if the database has no foreign key. */
  readonly foreignKey: boolean;
  readonly isLink: boolean;
  readonly table: string;
  /** The columns with the ids of the referring record and of the record referred to. */
  readonly from: string;
  readonly to: string;
}

/** Returns the many2one and many2many fields of all models that point to a model. */
export function referencesTo(registry: ModelRegistry, model: string): readonly Reference[] {
  return registry.memo(`references-to:${model}`, () =>
    [...registry.models.values()].flatMap(({ fields, table }) =>
      [...fields.values()].flatMap((field): Reference[] => {
        const { relation, column, base, stored } = field;
        if (relation?.to !== model || base || !stored) return [];
        if (relation.kind === 'many2one' && column !== null) {
          const { ondelete, foreignKey } = relation;
          return [{ field, ondelete, foreignKey, isLink: false, table, from: 'id', to: column }];
        }
        if (relation.kind !== 'many2many') return [];
        const { ondelete, table: between, from, toColumn } = relation;
        return [{ field, ondelete, foreignKey: true, isLink: true, table: between, from, to: toColumn }];
      }),
    ),
  );
}

/** Records that refer to others, with the field they use. */
export interface Users {
  readonly field: CompiledField;
  readonly ids: Ids;
}

interface NamingContext {
  readonly ctx: Ctx;
  readonly transaction: Connection;
  readonly registry: ModelRegistry;
}

const MAX_NAMES = 5;

/** Returns up to five names of records visible to the caller, in quotes, or null if all are hidden. */
export async function namesOf(
  { ctx, registry }: Omit<NamingContext, 'transaction'>,
  model: CompiledModel,
  ids: Ids,
): Promise<string | null> {
  const bound = boundOf(registry.bind(ctx, model.name));
  const visibleIds = await allowedIds(bound, ids.slice(0, MAX_NAMES), 'read');
  if (visibleIds.length === 0) return null;
  const names = [...(await bound.self.displayNames(visibleIds)).values()]
    .map((name) => `“${name.split('\n')[0]}”`)
    .join(', ');
  return ids.length > visibleIds.length
    ? t(ctx, '{names} and {count} more', { names, count: ids.length - visibleIds.length })
    : names;
}

/**
 * Describes records that use others: `Sales order “SO00007”, “SO00009” (Country)`, or `Sales order: 2 (Country)` if they are hidden from
 * the caller. Lines are described by the record they belong to: `Sales order “SO00007” (Order lines / Taxes)`.
 */
export async function nameUsers(context: NamingContext, { field, ids }: Users): Promise<string> {
  const { ctx, registry, transaction } = context;
  const model = registry.need(field.model);
  const lines = linesField(registry, model);
  const owner = lines ? registry.need(lines.model) : model;
  const owners = lines ? await selectIds(transaction, model.table, lines.inverse, { column: 'id', ids }) : ids;
  const names = await namesOf(context, owner, owners);
  const path = [...(lines ? [lines.field] : []), field].map(({ addon, label }) => ownText(ctx, addon, label));
  const label = ownText(ctx, owner.addon, owner.label);
  return `${label}${names === null ? `: ${owners.length}` : ` ${names}`} (${path.join(' / ')})`;
}

interface LinesField {
  readonly model: string;
  readonly inverse: string;
  readonly field: CompiledField;
}

/** Returns the one2many field that holds a model's records, if they are lines of one other model and deleted with it. */
function linesField(registry: ModelRegistry, { name, fields }: CompiledModel): LinesField | undefined {
  return registry.memo(`lines-field:${name}`, (): LinesField[] => {
    const parents = [...fields.values()].filter(
      ({ relation, required }) => required && relation?.kind === 'many2one' && relation.ondelete === 'cascade',
    );
    const [parent] = parents;
    if (!parent?.relation || parents.length > 1) return [];
    const holding = [...registry.need(parent.relation.to).fields.values()].find(
      ({ relation }) => relation?.kind === 'one2many' && relation.to === name && relation.inverse === parent.name,
    );
    return holding ? [{ model: parent.relation.to, inverse: parent.column ?? parent.name, field: holding }] : [];
  })[0];
}

/** Error for deleting records that others use. `records` and `users` are results of {@link namesOf} and {@link nameUsers}. */
export function inUse(
  { ctx }: Pick<NamingContext, 'ctx'>,
  model: CompiledModel,
  records: string | null,
  users: string,
): Conflict {
  const params = { model: ownText(ctx, model.addon, model.label), records: records ?? '', users };
  const code = 'core.record_in_use';
  return model.activeField
    ? new Conflict(
        '{model} {records} can’t be deleted. Still used by: {users}. Change or delete those records first, or archive this one instead.',
        { code, params },
      )
    : new Conflict(
        '{model} {records} can’t be deleted. Still used by: {users}. Change or delete those records first.',
        { code, params },
      );
}
