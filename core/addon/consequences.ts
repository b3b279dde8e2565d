import type { SchemaStep } from '../db/types.ts';
import type { Addon } from '../kernel/addon.ts';
import type { Generation } from '../kernel/generation.ts';
import type { DataFile, MigrationFile } from './addon-files.ts';
import { type PlanItem, type PlanTopic, type Sentence, sentence } from './plan.ts';
import type { TaskInput } from './tasks.ts';

const item = (topic: PlanTopic, addon: string, said: Sentence, data: PlanItem['data'] = said.params): PlanItem => ({
  topic,
  addon,
  sentence: said,
  data,
});

/** What a switch changes in the database, for people. `owners` says which addon a table (`table`) or column (`table.column`) comes from. */
export function schemaItems(steps: readonly SchemaStep[], owners: ReadonlyMap<string, string>): PlanItem[] {
  return steps.map((step) => {
    const { topic, table, column, said } = describe(step);
    return item(topic, owners.get(`${table}.${column}`) ?? owners.get(table) ?? '', said);
  });
}

function describe(step: SchemaStep): { topic: PlanTopic; table: string; column?: string; said: Sentence } {
  if (step.type === 'createTable') {
    const { name: table, columns } = step.table;
    return {
      topic: 'table',
      table,
      said: sentence('Creates the table {table} with {columns} columns.', { table, columns: columns.length }),
    };
  }
  const { table } = step;
  if (step.type === 'addColumn') {
    const column = step.column.name;
    return {
      topic: 'column',
      table,
      column,
      said: sentence('Adds the column {column} to the table {table}.', { table, column }),
    };
  }
  if (step.type === 'dropColumn') {
    const { column } = step;
    return {
      topic: 'column',
      table,
      column,
      said: sentence('Drops the column {column} of the table {table}.', { table, column }),
    };
  }
  if (step.type === 'createIndex') {
    const { name: index, columns } = step.index;
    return {
      topic: 'index',
      table,
      column: columns[0],
      said: sentence('Adds an index to the table {table}.', { table, index }),
    };
  }
  if (step.type === 'dropIndex') {
    return {
      topic: 'index',
      table,
      said: sentence('Drops an index of the table {table}.', { table, index: step.index }),
    };
  }
  return { topic: 'table', table, said: sentence('Drops the table {table}.', { table }) };
}

function recordsSaid(topic: 'records' | 'demo', model: string, count: number | null): Sentence {
  if (topic === 'demo') {
    return count === null
      ? sentence('Brings demo records of {model}.', { model })
      : sentence('Brings {count} demo records of {model}.', { count, model });
  }
  return count === null
    ? sentence('Brings records of {model}.', { model })
    : sentence('Brings {count} records of {model}.', { count, model });
}

/** Records that come with addons. */
export function recordItems(files: readonly DataFile[], topic: 'records' | 'demo'): PlanItem[] {
  const counts = new Map<string, { addon: string; model: string; records: number; open: boolean }>();
  for (const { addon, sets } of files) {
    for (const { model, records } of sets) {
      const key = `${addon}|${model}`;
      const count = counts.get(key) ?? { addon, model, records: 0, open: false };
      if (typeof records === 'function') counts.set(key, { ...count, open: true });
      else counts.set(key, { ...count, records: count.records + Object.keys(records).length });
    }
  }
  return [...counts.values()].map(({ addon, model, records, open }) => {
    // How many a function makes is only known once it has run.
    return item(topic, addon, recordsSaid(topic, model, open ? null : records), {
      model,
      count: records,
      more: open,
    });
  });
}

/** What is done afterwards, while the site runs. */
export function laterItems(tasks: readonly { readonly addon: string; readonly input: TaskInput }[]): PlanItem[] {
  return tasks
    .filter(({ input }) => input.kind !== 'demo' && input.kind !== 'index')
    .map(({ addon, input }) => {
      const model = 'model' in input ? input.model : '';
      const fields = 'fields' in input ? input.fields.join(', ') : '';
      const text =
        input.kind === 'search'
          ? 'Afterwards, makes the records of {model} searchable by their text.'
          : 'Afterwards, fills {fields} in the records of {model} that are there already.';
      return item('later', addon, sentence(text, { model, fields }));
    });
}

/** Migrations that run when an addon is brought up to date. */
export function migrationItems(migrations: readonly MigrationFile[]): PlanItem[] {
  return migrations.map(({ addon, file, migration }) =>
    item(
      'migration',
      addon,
      sentence('Migrates to version {version}: {summary}', { version: migration.version, summary: migration.summary }),
      {
        file,
        version: migration.version,
      },
    ),
  );
}

/** What visitors and staff meet, or no longer meet, when these addons come or go. */
export function surfaceItems(addons: readonly Addon[], generation: Generation, comes: boolean): PlanItem[] {
  return generation.changes(addons, comes).map(({ topic, addon, text, params }) => ({
    topic: topic as PlanTopic,
    addon,
    sentence: sentence(text, params),
    data: params,
  }));
}
