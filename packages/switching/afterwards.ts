import { type Addon, compareVersions, type Generation, type SwitchQuestion } from '@pergola/core';
import type { TableSpec } from '@pergola/db';
import { type CompiledField, type CompiledModel, models } from '@pergola/orm';
import type { ModuleRow } from './module-store.ts';
import type { SwitchSteps } from './prepare.ts';
import type { TaskInput } from './tasks.ts';

/** Follow-up work of a switch, and the stored computed fields to calculate on read until it is done. */
export interface Afterwards {
  readonly tasks: readonly { readonly addon: string; readonly input: TaskInput }[];
  /** `model.field` */
  readonly pendingFields: readonly string[];
}

/** Data for determining the follow-up work. */
export interface Came {
  readonly generation: Generation;
  readonly targetTables: readonly TableSpec[];
  readonly question: Pick<SwitchQuestion, 'action' | 'demo'>;
  /** Addons being enabled, and the previous state of all addons. */
  readonly coming: readonly Addon[];
  readonly modules: ReadonlyMap<string, ModuleRow>;
}

interface FieldWork {
  readonly addon: string;
  readonly model: CompiledModel;
  readonly field: CompiledField;
}

/**
 * Existing rows have no values for a new addon. Fills the columns it added (the database has already filled constant defaults); when an
 * addon is enabled again, rows created meanwhile get its defaults, and its stored computed values are recalculated.
 */
export function afterwards(
  { generation, targetTables, question, coming: all, modules }: Came,
  steps: SwitchSteps,
): Afterwards {
  // A refresh enables no addons: only schema changes need follow-up.
  const coming = question.action === 'refresh' ? [] : all;
  const storedModels = [...generation.get(models).models.values()].filter(({ options }) => !options.coreTable);
  const added = new Set(
    steps.alters.flatMap((step) => (step.type === 'addColumn' ? [`${step.table}.${step.column.name}`] : [])),
  );
  const back = new Map(coming.map(({ name }) => [name, modules.get(name)] as const).filter(([, row]) => row?.version));
  const withDefault = new Set(
    targetTables.flatMap(({ name, columns }) =>
      columns.filter((column) => (column.default ?? null) !== null).map((column) => `${name}.${column.name}`),
    ),
  );
  const work: {
    recompute: FieldWork[];
    defaults: (FieldWork & { above: number })[];
    fold: FieldWork[];
    seal: FieldWork[];
  } = {
    recompute: [],
    seal: [],
    defaults: [],
    fold: [],
  };
  for (const model of storedModels) {
    for (const field of model.fields.values()) {
      if (field.column === null) continue;
      const place = `${model.table}.${field.column}`;
      const fieldWork = { addon: field.addon, model, field };
      const isNew = added.has(place);
      if (field.compute !== null && (isNew || back.has(field.addon))) work.recompute.push(fieldWork);
      else if (field.foldColumn !== null && !isNew && added.has(`${model.table}.${field.foldColumn}`))
        work.fold.push(fieldWork);
      if (field.sealedFor !== null && !isNew && back.has(field.addon)) work.seal.push(fieldWork);
      const hasDefault = field.options.default !== undefined && !field.compute && !withDefault.has(place);
      const watermark = back.get(field.addon)?.watermarks[model.table];
      if (hasDefault && isNew) work.defaults.push({ ...fieldWork, above: 0 });
      else if (hasDefault && watermark !== undefined) work.defaults.push({ ...fieldWork, above: watermark });
    }
  }
  const searched = storedModels.filter((model) =>
    [...(model.search?.columns.values() ?? [])].some((column) => added.has(`${model.table}.${column}`)),
  );
  const tasks = [
    ...(steps.later.length > 0
      ? [{ addon: coming[0]?.name ?? 'core', input: { kind: 'index', steps: steps.later } as const }]
      : []),
    ...grouped(work.defaults, (entry) => entry.above).map(({ first, fields }) => ({
      addon: first.addon,
      input: { kind: 'defaults', model: first.model.name, fields, above: first.above } as const,
    })),
    ...grouped(work.fold).map(({ first, fields }) => ({
      addon: first.addon,
      input: { kind: 'fold', model: first.model.name, fields } as const,
    })),
    ...grouped(work.seal).map(({ first, fields }) => ({
      addon: first.addon,
      input: { kind: 'seal', model: first.model.name, fields } as const,
    })),
    ...(back.size > 0 ? [{ addon: 'core', input: { kind: 'seal-settings' } as const }] : []),
    ...grouped(work.recompute).map(({ first, fields }) => ({
      addon: first.addon,
      input: { kind: 'recompute', model: first.model.name, fields } as const,
    })),
    ...searched.map((model) => ({ addon: model.addon, input: { kind: 'search', model: model.name } as const })),
    ...all
      .filter((addon) => wantsDemo(addon, question, modules.get(addon.name)) && (addon.files.demo ?? []).length > 0)
      .map(({ name }) => ({ addon: name, input: { kind: 'demo' } as const })),
  ];
  return { tasks, pendingFields: work.recompute.map(({ model, field }) => `${model.name}.${field.name}`) };
}

/** An addon enabled for the first time gets demo data if requested; one that has demo data gets additions of newer versions. */
export function wantsDemo(
  { definition }: Addon,
  { demo }: Pick<SwitchQuestion, 'demo'>,
  row: ModuleRow | undefined,
): boolean {
  if (!row?.version) return demo === true;
  const isNewer = compareVersions(definition.version, row.version) > 0;
  return row.demo && (isNewer || (typeof demo === 'object' && demo.has(definition.name)));
}

/** One task for all fields of a model that an addon added. */
function grouped<A extends FieldWork>(
  work: readonly A[],
  more: (entry: A) => unknown = () => '',
): { first: A; fields: string[] }[] {
  const groups = Map.groupBy(work, (entry) => `${entry.model.name}|${entry.addon}|${more(entry)}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ first, fields: [first, ...others].map(({ field }) => field.name) }] : [],
  );
}
