import type { CompiledField, OrderTerm } from '../compiled.ts';
import type { ModelOptions } from '../model.ts';
import type { Collected, Part, Report } from './collect.ts';
import { compileField } from './compile-field.ts';
import { type AddonOf, mergeFields, mixinsOf } from './merge-fields.ts';
import { tableName } from './names.ts';
import { parseOrder } from './paths.ts';

/** A value from a model's options with the addon that set it. */
interface FromAddon<T> {
  readonly value: T;
  readonly addon: string;
}

/** A model in progress: its fields are compiled, but nothing is checked across models. */
export interface ModelDraft {
  readonly name: string;
  readonly collected: Collected;
  readonly table: string;
  readonly options: ModelOptions;
  readonly order: readonly OrderTerm[];
  readonly fields: Map<string, CompiledField>;
  readonly mixins: ReadonlySet<string>;
  readonly search: readonly FromAddon<string>[];
  readonly unique: readonly FromAddon<NonNullable<ModelOptions['unique']>[number]>[];
  readonly indexes: readonly FromAddon<readonly string[]>[];
}

/** Drafts of all models, by name. */
export function draftModels(models: ReadonlyMap<string, Collected>, report: Report): Map<string, ModelDraft> {
  const addonOf: AddonOf = new Map(
    [...models.values()].flatMap(({ owner, extensions }) =>
      [owner, ...extensions].map(({ declaration, addon }) => [declaration, addon] as const),
    ),
  );
  return new Map([...models].map(([name, model]) => [name, draftModel(model, models, addonOf, report)]));
}

function draftModel(
  collected: Collected,
  models: ReadonlyMap<string, Collected>,
  addonOf: AddonOf,
  report: Report,
): ModelDraft {
  const { name, owner } = collected;
  const gathered = gatherOptions(collected);
  const table = gathered.options.table ?? tableName(name);
  const fields = new Map<string, CompiledField>();
  for (const merged of mergeFields(collected, addonOf, report).values()) {
    fields.set(merged.name, compileField(merged, { model: collected, table, models, report }));
  }
  return {
    name,
    collected,
    table,
    fields,
    ...gathered,
    order: orderOf(gathered.options.order ?? 'id', name, owner.addon, report),
  };
}

function orderOf(order: string, model: string, addon: string, report: Report): OrderTerm[] {
  const terms = parseOrder(order);
  if (terms) return terms;
  report(
    addon,
    `The order “${order}” of “${model}” does not read as one.`,
    'Write fields with asc or desc, separated by commas: "date desc, id".',
  );
  return [{ path: ['id'], descending: false }];
}

/** Merges the options of a model, its mixins and its extensions. Single-valued options are taken from the model. */
function gatherOptions({ owner, extensions }: Collected) {
  const parts = [owner, ...extensions].flatMap((part) =>
    optionsOf(part).map((options) => ({ options, addon: part.addon })),
  );
  const options: ModelOptions = Object.assign({}, ...optionsOf(owner), {
    publishable: parts.some((part) => part.options.publishable),
  });
  const gather = <T>(pick: (options: ModelOptions) => readonly T[] | undefined): FromAddon<T>[] =>
    parts.flatMap(({ options, addon }) => (pick(options) ?? []).map((value) => ({ value, addon })));
  return {
    options,
    mixins: new Set([owner, ...extensions].flatMap((part) => mixinsOf(part).map(({ name }) => name))),
    search: gather(({ search }) => search),
    unique: gather(({ unique }) => unique),
    indexes: gather(({ indexes }) => indexes),
  };
}

/** Options of a part's mixins, followed by its own. */
function optionsOf(part: Part): ModelOptions[] {
  return [...mixinsOf(part).map(({ options }) => options), part.declaration.options];
}
