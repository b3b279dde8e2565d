import type { Word } from '@pergola/core';
import type { CompiledField, CompiledModel, ModelRegistry } from '@pergola/orm';

/** What people call what is in the database: tables are models to them, columns are fields. */
export interface TableNames {
  /** The table of a model. */
  tableOf(model: string): string | null;
  /** The model on a table. */
  modelOn(table: string): CompiledModel | null;
  fieldIn(table: string, column: string): CompiledField | null;
  /** Whether a column only helps with searching and sorting: people know nothing of it. */
  isHelper(table: string, column: string): boolean;
  /** The field whose links a table between two models holds, on the model that is not in `without` (tables). */
  linkIn(table: string, without?: ReadonlySet<string>): { readonly field: CompiledField; readonly from: string } | null;
  /** The model's name in its addon's words; the technical one where nobody here knows the model. */
  wordOf(model: string): Word;
  /** A field's name, by its technical one. */
  wordFor(model: string, field: string): Word;
  /** The name of whatever model is on a table. */
  wordOn(table: string): Word;
}

/** @param registry models that may be meant; null where they cannot be known: then names are the technical ones */
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
    linkIn(table, without = new Set()) {
      for (const model of models.values()) {
        if (without.has(model.table)) continue;
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

/** The field's name in its addon's words. */
export function fieldWord({ addon, label }: Pick<CompiledField, 'addon' | 'label'>): Word {
  return { addon, text: label };
}
