import { type PlanItem, type Sentence, sentence, type Word } from '../kernel/index.ts';
import type { DataFile, MigrationFile } from './addon-files.ts';
import type { TableNames } from './table-names.ts';
import type { TaskInput } from './tasks.ts';

const item = (topic: string, addon: string, said: Sentence, data: PlanItem['data'] = said.params): PlanItem => ({
  topic,
  addon,
  sentence: said,
  data,
});

function recordsSaid(topic: 'records' | 'demo', model: Word, count: number | null): Sentence {
  const words = { model: [model] };
  if (topic === 'demo') {
    return count === null
      ? sentence('Brings demo records of “{model}”.', {}, words)
      : sentence('Brings demo records of “{model}”: {count}.', { count }, words);
  }
  return count === null
    ? sentence('Brings records of “{model}”.', {}, words)
    : sentence('Brings records of “{model}”: {count}.', { count }, words);
}

/** Records that come with addons. */
export function recordItems(files: readonly DataFile[], topic: 'records' | 'demo', names: TableNames): PlanItem[] {
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
    return item(topic, addon, recordsSaid(topic, names.wordOf(model), open ? null : records), {
      model,
      count: records,
      more: open,
    });
  });
}

/** Work that changes nothing anyone sees. */
const unnoticed: ReadonlySet<TaskInput['kind']> = new Set(['demo', 'index', 'seal', 'seal-settings']);

/** What is done afterwards, while the site runs. */
export function laterItems(
  tasks: readonly { readonly addon: string; readonly input: TaskInput }[],
  names: TableNames,
): PlanItem[] {
  return tasks
    .filter(({ input }) => !unnoticed.has(input.kind))
    .map(({ addon, input }) => {
      const model = 'model' in input ? input.model : '';
      const fields = 'fields' in input ? input.fields : [];
      const said = sentence(
        input.kind === 'search'
          ? 'Afterwards, makes the records of “{model}” searchable by their text.'
          : 'Afterwards, fills {fields} in the records of “{model}” that are there already.',
        {},
        { model: [names.wordOf(model)], fields: fields.map((field) => names.wordFor(model, field)) },
      );
      return item('later', addon, said, { model, fields });
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
