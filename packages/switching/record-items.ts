import { type PlanItem, type Sentence, sentence, type Word } from '@pergola/core';
import type { ExternalId } from '@pergola/orm';
import type { DataFile, MigrationFile } from './addon-files.ts';
import type { TableNames } from './table-names.ts';
import type { TaskInput } from './tasks.ts';
import { type UnfitValues, unfitItems } from './unfit-values.ts';

const item = (topic: string, addon: string, text: Sentence, data: PlanItem['data'] = text.params): PlanItem => ({
  topic,
  addon,
  sentence: text,
  data,
});

type Topic = 'records' | 'demo';
/** Whether records are created, or updated to the currently shipped values. */
type Kind = 'new' | 'existing';

/** @param count null if a function makes the records: their number is known once it has run */
function recordsSentence(topic: Topic, kind: Kind, model: Word, count: number | null): Sentence {
  const words = { model: [model] };
  if (topic === 'demo') {
    if (kind === 'existing') return sentence('Adds demo records of “{model}” if any are missing.', {}, words);
    return count === null
      ? sentence('Adds demo records of “{model}”.', {}, words)
      : sentence('Adds demo records of “{model}”: {count}.', { count }, words);
  }
  if (kind === 'existing')
    return count === null
      ? sentence('Updates the records of “{model}”.', {}, words)
      : sentence('Updates the records of “{model}”: {count}.', { count }, words);
  return count === null
    ? sentence('Adds records of “{model}”.', {}, words)
    : sentence('Adds records of “{model}”: {count}.', { count }, words);
}

/** Records created earlier by an addon's data or demo data. */
export type ShippedIds = readonly Pick<ExternalId, 'addon' | 'name' | 'model'>[];

/**
 * Records shipped with addons. Leaves out existing demo records, which aren't changed; other existing records are updated.
 *
 * @param shipped by addon
 */
export function recordItems(
  files: readonly DataFile[],
  topic: Topic,
  names: TableNames,
  shipped: ReadonlyMap<string, ShippedIds>,
): PlanItem[] {
  const counts = new Map<string, { addon: string; model: string; kind: Kind; records: number; open: boolean }>();
  for (const { addon, sets } of files) {
    const ids = shipped.get(addon) ?? [];
    const knownIds = new Set(ids.map((id) => `${id.addon}.${id.name}`));
    const isKnown = (key: string): boolean => knownIds.has(key) || knownIds.has(`${addon}.${key}`);
    for (const { model, records, noupdate } of sets) {
      const add = (kind: Kind, count: number, open = false): void => {
        if (count === 0 && !open) return;
        const key = `${addon}|${model}|${kind}`;
        const previous = counts.get(key) ?? { addon, model, kind, records: 0, open: false };
        counts.set(key, { ...previous, records: previous.records + count, open: previous.open || open });
      };
      if (typeof records === 'function') {
        add(ids.some((id) => id.model === model) ? 'existing' : 'new', 0, true);
        continue;
      }
      const keys = Object.keys(records);
      const existing = keys.filter(isKnown).length;
      add('new', keys.length - existing);
      if (topic === 'records' && !noupdate) add('existing', existing);
    }
  }
  return [...counts.values()].map(({ addon, model, kind, records, open }) =>
    item(topic, addon, recordsSentence(topic, kind, names.wordOf(model), open ? null : records), {
      model,
      count: records,
      more: open,
    }),
  );
}

/** Demo records that a rehearsal added, by `<addon>|<model>`. */
export type AddedRecords = ReadonlyMap<string, number>;

/** Results of a switch's transaction that its plan can't know. */
export interface Outcome {
  readonly added: AddedRecords;
  /** Values that still don't fit after migrations and shipped records. */
  readonly unfit: readonly UnfitValues[];
}

/**
 * Items of a plan after its rehearsal, which knows how many demo records functions add, that migrations handle all removed fields, and
 * which values don't fit afterwards.
 */
export function rehearsedItems(items: readonly PlanItem[], { added, unfit }: Outcome, names: TableNames): PlanItem[] {
  const seenKeys = new Set<string>();
  const rehearsed = items.flatMap((planned) => {
    if (planned.topic === 'removed') return [];
    if (planned.topic !== 'demo') return [planned];
    const { addon } = planned;
    const model = String(planned.data.model);
    const key = `${addon}|${model}`;
    const count = added.get(key) ?? 0;
    if (count === 0 || seenKeys.has(key)) return [];
    seenKeys.add(key);
    const summary = recordsSentence('demo', 'new', names.wordOf(model), count);
    return [item('demo', addon, summary, { model, count, more: false })];
  });
  return [...rehearsed, ...unfitItems(unfit, names)];
}

/** Work without visible effects. */
const unnoticed: ReadonlySet<TaskInput['kind']> = new Set(['demo', 'index', 'seal', 'seal-settings']);

/** Follow-up work that runs while the site is online. */
export function laterItems(
  tasks: readonly { readonly addon: string; readonly input: TaskInput }[],
  names: TableNames,
): PlanItem[] {
  return tasks
    .filter(({ input }) => !unnoticed.has(input.kind))
    .map(({ addon, input }) => {
      const model = 'model' in input ? input.model : '';
      const fields = 'fields' in input ? input.fields : [];
      const text = sentence(
        input.kind === 'search'
          ? 'Then indexes the records of “{model}” for full-text search.'
          : 'Then fills in {fields} in existing records of “{model}”.',
        {},
        { model: [names.wordOf(model)], fields: fields.map((field) => names.wordFor(model, field)) },
      );
      return item('later', addon, text, { model, fields });
    });
}

/** Migrations that run when an addon is updated. */
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
