import type { Addon, Generation, Problem } from '@pergola/core';
import type { TableSpec } from '@pergola/db';
import { models, placeProblems } from '@pergola/orm';
import type { RemovedField } from './removed-fields.ts';

/** A column, or a model with its table, that a migration renamed. */
export interface Rename {
  /** Addon of the migration. */
  readonly addon: string;
  readonly file: string;
  /** Name of the table after all migrations. */
  readonly table: string;
  readonly kind: 'field' | 'model';
  readonly from: string;
  readonly to: string;
}

/** Renames by the migrations of one switch. Successive renames of the same column or model are merged, from the first name to the last. */
export class Renames {
  #list: Rename[] = [];

  get list(): readonly Rename[] {
    return this.#list;
  }

  add(rename: Rename): void {
    const isBefore = ({ kind, table, to }: Rename): boolean =>
      kind === rename.kind && to === rename.from && (kind === 'model' || table === rename.table);
    const earlier = this.#list.find(isBefore);
    this.#list = [...this.#list.filter((item) => item !== earlier), { ...rename, from: earlier?.from ?? rename.from }];
  }

  /** Updates renamed columns of a table that is renamed itself. */
  tableRenamed(from: string, to: string): void {
    this.#list = this.#list.map((rename) => (rename.table === from ? { ...rename, table: to } : rename));
  }
}

/** Whether this is the renamed column or table. */
export function isRenamed(
  { kind, table, to }: Rename,
  place: { readonly table: string; readonly column: string | null },
): boolean {
  return place.table === table && place.column === (kind === 'model' ? null : to);
}

/** Renames after which the code still declares the former name, or has no field for the values under the new one (`removed`). */
export function undeclaredRenames(
  renames: readonly Rename[],
  { targetTables, removed }: { readonly targetTables: readonly TableSpec[]; readonly removed: readonly RemovedField[] },
): Rename[] {
  const isWanted = (kind: Rename['kind'], table: string, name: string): boolean =>
    targetTables.some(
      (spec) => spec.name === table && (kind === 'model' || spec.columns.some((column) => column.name === name)),
    );
  return renames.filter((rename) => {
    const { kind, table, from, to } = rename;
    const formerTable = kind === 'model' ? from.replaceAll('.', '_') : table;
    const isFormerWanted = isWanted(kind, formerTable, from) && !isWanted(kind, table, to);
    return isFormerWanted || removed.some((field) => isRenamed(rename, field));
  });
}

/** Explains what to rename in the code after such a migration, with the line that still declares the former name. */
export function renameProblem({ addon, file, table, kind, from, to }: Rename, generation: Generation): Problem {
  const model = [...generation.get(models).models.values()].find((compiled) => compiled.table === table);
  const isFormerDeclared = kind === 'model' ? generation.get(models).get(from) : model?.fields.has(from);
  const subject = kind === 'model' ? 'the model' : `the field of “${model?.name ?? table}”`;
  const remedy = 'Rename it there and wherever it is used, or correct the migration.';
  if (!isFormerDeclared)
    return {
      addon,
      file,
      message: `The migration renames “${from}” to “${to}”, which no code declares as ${subject}.`,
      remedy: 'Declare it, or correct the migration.',
    };
  const message =
    kind === 'model'
      ? `“${from}” is still declared under this name, while ${file} renames the model to “${to}”.`
      : `“${model?.name}” still declares the field “${from}”, which ${file} renames to “${to}”.`;
  return placed({ addon, message, remedy }, generation.addons);
}

function placed(problem: Problem, addons: readonly Addon[]): Problem {
  return placeProblems([problem], addons)[0] ?? problem;
}
