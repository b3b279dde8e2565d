import type { Word } from '@pergola/core';
import type { CompiledField, CompiledModel, ModelRegistry } from '@pergola/orm';

/** Labels for database objects: tables are models to users, columns are fields. */
export interface TableNames {
  /** The table of a model. */
  tableOf(model: string): string | null;
  /** The model on a table. */
  modelOn(table: string): CompiledModel | null;
  fieldIn(table: string, column: string): CompiledField | null;
  /** Whether a column only supports searching and sorting and is invisible to users. */
  isHelper(table: string, column: string): boolean;
  /** The field whose links a table between two models stores, on the model that isn't in `without` (tables). */
  linkIn(
    table: string,
    excluded?: ReadonlySet<string>,
  ): { readonly field: CompiledField; readonly from: string } | null;
  /** Label of a model in its addon's language; its technical name if the model is unknown. */
  wordOf(model: string): Word;
  /** Label of a field, by its technical name. */
  wordFor(model: string, field: string): Word;
  /** Label of the model stored in a table. */
  wordOn(table: string): Word;
}

/** @param registry known models, or null if unavailable: then technical names are used */
export function tableNames(registry: Pick<ModelRegistry, 'models'> | null): TableNames {
  const models = registry?.models ?? new Map<string, CompiledModel>();
  const byTable = new Map([...models.values()].map((model) => [model.table, model]));
  const word = (model: CompiledModel | undefined, technical: string): Word => ({
    addon: model?.addon ?? '',
    text: model?.label ?? technical,
  });
  const fieldsOn = (table: string): CompiledField[] => [...(byTable.get(table)?.fields.values() ?? [])];
  return {
    tableOf: (model) => models.get(model)?.table ?? null,
    modelOn: (table) => byTable.get(table) ?? null,
    fieldIn: (table, column) => fieldsOn(table).find((field) => field.column === column) ?? null,
    isHelper: (table, column) =>
      fieldsOn(table).some(({ foldColumn }) => foldColumn === column) ||
      [...(byTable.get(table)?.search?.columns.values() ?? [])].includes(column),
    linkIn(table, excluded = new Set()) {
      for (const model of models.values()) {
        if (excluded.has(model.table)) continue;
        for (const field of model.fields.values()) {
          const { relation, stored } = field;
          if (stored && relation?.kind === 'many2many' && relation.table === table)
            return { field, from: relation.from };
        }
      }
      return null;
    },
    wordOf: (model) => word(models.get(model), model),
    wordFor(model, name) {
      const field = models.get(model)?.fields.get(name);
      return field ? fieldWord(field) : { addon: '', text: name };
    },
    wordOn: (table) => word(byTable.get(table), table),
  };
}

/** Label of a field in its addon's language. */
export function fieldWord({ addon, label }: Pick<CompiledField, 'addon' | 'label'>): Word {
  return { addon, text: label };
}
