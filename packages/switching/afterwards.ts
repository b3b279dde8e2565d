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
  readonly wanted: readonly TableSpec[];
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
  { generation, wanted, question, coming: all, modules }: Came,
  steps: SwitchSteps,
): Afterwards {
  // A refresh enables no addons: only schema changes need follow-up.
  const coming = question.action === 'refresh' ? [] : all;
  const kept = [...generation.get(models).models.values()].filter(({ options }) => !options.coreTable);
  const added = new Set(
    steps.alters.flatMap((step) => (step.type === 'addColumn' ? [`${step.table}.${step.column.name}`] : [])),
  );
  const back = new Map(coming.map(({ name }) => [name, modules.get(name)] as const).filter(([, row]) => row?.version));
  const withDefault = new Set(
    wanted.flatMap(({ name, columns }) =>
      columns.filter((column) => (column.default ?? null) !== null).map((column) => `${name}.${column.name}`),
    ),
  );
  const found: {
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
  for (const model of kept) {
    for (const field of model.fields.values()) {
      if (field.column === null) continue;
      const place = `${model.table}.${field.column}`;
      const asked = { addon: field.addon, model, field };
      const isNew = added.has(place);
      if (field.compute !== null && (isNew || back.has(field.addon))) found.recompute.push(asked);
      else if (field.foldColumn !== null && !isNew && added.has(`${model.table}.${field.foldColumn}`))
        found.fold.push(asked);
      if (field.sealedFor !== null && !isNew && back.has(field.addon)) found.seal.push(asked);
      const hasDefault = field.options.default !== undefined && !field.compute && !withDefault.has(place);
      const watermark = back.get(field.addon)?.watermarks[model.table];
      if (hasDefault && isNew) found.defaults.push({ ...asked, above: 0 });
      else if (hasDefault && watermark !== undefined) found.defaults.push({ ...asked, above: watermark });
    }
  }
  const searched = kept.filter((model) =>
    [...(model.search?.columns.values() ?? [])].some((column) => added.has(`${model.table}.${column}`)),
  );
  const tasks = [
    ...(steps.later.length > 0
      ? [{ addon: coming[0]?.name ?? 'core', input: { kind: 'index', steps: steps.later } as const }]
      : []),
    ...grouped(found.defaults, ({ above }) => above).map(({ one, fields }) => ({
      addon: one.addon,
      input: { kind: 'defaults', model: one.model.name, fields, above: one.above } as const,
    })),
    ...grouped(found.fold).map(({ one, fields }) => ({
      addon: one.addon,
      input: { kind: 'fold', model: one.model.name, fields } as const,
    })),
    ...grouped(found.seal).map(({ one, fields }) => ({
      addon: one.addon,
      input: { kind: 'seal', model: one.model.name, fields } as const,
    })),
    ...(back.size > 0 ? [{ addon: 'core', input: { kind: 'seal-settings' } as const }] : []),
    ...grouped(found.recompute).map(({ one, fields }) => ({
      addon: one.addon,
      input: { kind: 'recompute', model: one.model.name, fields } as const,
    })),
    ...searched.map((model) => ({ addon: model.addon, input: { kind: 'search', model: model.name } as const })),
    ...all
      .filter((addon) => wantsDemo(addon, question, modules.get(addon.name)) && (addon.files.demo ?? []).length > 0)
      .map(({ name }) => ({ addon: name, input: { kind: 'demo' } as const })),
  ];
  return { tasks, pendingFields: found.recompute.map(({ model, field }) => `${model.name}.${field.name}`) };
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
  asked: readonly A[],
  more: (one: A) => unknown = () => '',
): { one: A; fields: string[] }[] {
  const groups = Map.groupBy(asked, (one) => `${one.model.name}|${one.addon}|${more(one)}`);
  return [...groups.values()].flatMap(([one, ...others]) =>
    one ? [{ one, fields: [one, ...others].map(({ field }) => field.name) }] : [],
  );
}
