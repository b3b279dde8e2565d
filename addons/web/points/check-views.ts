import { type Problem, z } from 'pergola';
import { type Contribution, declaredAt, didYouMean, iconName, namesIn } from 'pergola/kernel';
import {
  domainFaults,
  type FieldsOfModel,
  isFault,
  isGroupable,
  type ModelRegistry,
  methodNames,
  parseOrder,
  resolvePath,
} from 'pergola/orm';
import { fieldWidgets } from './field-widgets.ts';
import type { PublicMethod } from './public-methods.ts';
import type { ViewDefinition } from './views.ts';

/** Checks views against their models: all named fields, including fields in domains and relations, and the methods of buttons. */
export function checkViews(
  contributions: readonly Contribution<readonly ViewDefinition[]>[],
  { models, groups, menus, publicMethods }: ViewNeeds,
): Problem[] {
  const methods = new Set(publicMethods.map(({ model, method }) => `${model}.${method}`));
  const menuIds = new Set(menus.map((menu) => menu.id));
  const fieldsOf: FieldsOfModel = (model) => models.get(model)?.fields;
  return contributions.flatMap(({ addon, value }) =>
    value.flatMap((view) => {
      const where = `the ${view.type} of "${view.model}"`;
      return viewFaults(view, { models, groups, menuIds, methods, fieldsOf }).map((fault) => ({
        addon: addon.name,
        ...fault,
        ...declaredAt(view, addon, namesIn(fault.message)),
        message: `${where}: ${fault.message}`,
      }));
    }),
  );
}

/** Names used in views. */
interface ViewNeeds {
  readonly models: ModelRegistry;
  readonly groups: ReadonlyMap<string, unknown>;
  readonly menus: readonly { readonly id: string }[];
  readonly publicMethods: readonly PublicMethod[];
}
interface Registry extends Pick<ViewNeeds, 'models' | 'groups'> {
  readonly menuIds: ReadonlySet<string>;
  readonly methods: ReadonlySet<string>;
  readonly fieldsOf: FieldsOfModel;
}
interface Fault {
  readonly message: string;
  readonly remedy?: string;
}

function suggestionFor(name: string, names: Iterable<string>): string | undefined {
  return didYouMean(name, names) || undefined;
}

function viewFaults(view: ViewDefinition, registry: Registry): Fault[] {
  if (!registry.models.get(view.model)) {
    const remedy = didYouMean(view.model, registry.models.models.keys());
    return [{ message: 'that model is not there.', remedy: remedy || undefined }];
  }
  const parsed = shapes[view.type].safeParse(view.spec);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({
      message: `\`${path.map(String).join('.')}\`: ${message}.`,
    }));
  }
  const faults: Fault[] = [];
  const { fields, grouped, domains, orders, methods, opens, columns, counts, groups, widgets } = referencesOf(
    parsed.data,
  );
  const path = (model: string, text: string): void => {
    const fieldPath = resolvePath(registry.fieldsOf, model, text.split('.'));
    if (isFault(fieldPath)) faults.push(fieldPath);
  };
  for (const field of fields) path(view.model, field);
  for (const name of grouped) {
    path(view.model, name);
    const field = registry.fieldsOf(view.model)?.get(name);
    if (!field || isGroupable(registry.models, field)) continue;
    const remedy = 'Only what is kept in a column can be: a field of the model, or one related to such a field.';
    faults.push({ message: `"${name}" cannot be grouped by or added up.`, remedy });
  }
  for (const domain of domains) faults.push(...domainFaults(registry.fieldsOf, view.model, domain));
  for (const order of orders) {
    const terms = parseOrder(order);
    if (!terms) faults.push({ message: `"${order}" is no order.`, remedy: 'Write it like "date desc, name".' });
    for (const term of terms ?? []) path(view.model, term.path.join('.'));
  }
  for (const { relationField, field } of columns) {
    const target = registry.models.get(view.model)?.fields.get(relationField)?.relation?.to;
    const fieldPath = target === undefined ? null : resolvePath(registry.fieldsOf, target, field.split('.'));
    if (fieldPath === null) faults.push({ message: `"${relationField}" has columns and leads to no records.` });
    else if (isFault(fieldPath))
      faults.push({ ...fieldPath, message: `in the columns of "${relationField}": ${fieldPath.message}` });
  }
  for (const { model, by: inverseField, along: copiedFields = [] } of opens) {
    if (!registry.models.get(model)) {
      const remedy = suggestionFor(model, registry.models.models.keys());
      faults.push({ message: `the button opens "${model}", which is not there.`, remedy });
      continue;
    }
    for (const name of copiedFields) {
      path(view.model, name);
      path(model, name);
    }
    if (registry.models.get(model)?.fields.get(inverseField)?.relation?.to === view.model) continue;
    const remedy = suggestionFor(inverseField, relationsTo(registry, model, view.model));
    faults.push({ message: `the button opens "${model}", whose "${inverseField}" does not lead here.`, remedy });
  }
  const widgetNames: readonly string[] = fieldWidgets;
  for (const widget of widgets.filter((name) => !widgetNames.includes(name)))
    faults.push({
      message: `names the widget "${widget}", which is not there.`,
      remedy: suggestionFor(widget, widgetNames) ?? `There are ${widgetNames.join(', ')}.`,
    });
  for (const group of groups.filter((name) => !registry.groups.has(name)))
    faults.push({
      message: `names the group "${group}", which is not there.`,
      remedy: suggestionFor(group, registry.groups.keys()),
    });
  for (const { model, by: pathText, sum, menu, domain: countDomain = [] } of counts) {
    if (menu !== undefined && !registry.menuIds.has(menu))
      faults.push({
        message: `names the menu "${menu}", which is not there.`,
        remedy: suggestionFor(menu, registry.menuIds),
      });
    if (!registry.models.get(model)) {
      const remedy = suggestionFor(model, registry.models.models.keys());
      faults.push({ message: `counts "${model}", which is not there.`, remedy });
      continue;
    }
    const fieldPath = resolvePath(registry.fieldsOf, model, pathText.split('.'));
    if (isFault(fieldPath)) faults.push(fieldPath);
    else if (fieldPath.at(-1)?.relation?.to !== view.model)
      faults.push({
        message: `counts "${model}" by "${pathText}", which does not lead here.`,
        remedy: suggestionFor(pathText, relationsTo(registry, model, view.model)),
      });
    if (sum) path(model, sum);
    faults.push(...domainFaults(registry.fieldsOf, model, countDomain));
  }
  for (const method of methods.filter((candidate) => !registry.methods.has(`${view.model}.${candidate}`))) {
    faults.push(methodFault(view.model, method, registry));
  }
  return faults;
}

/** Returns the fields of a model that relate to another model. */
function relationsTo({ fieldsOf }: Registry, model: string, target: string): string[] {
  const fields = [...(fieldsOf(model)?.values() ?? [])];
  return fields.filter(({ relation }) => relation?.to === target).map(({ name }) => name);
}

/**
 * Suggests the method that a button may have meant: a public one if possible, otherwise a method of the model that has yet to be declared.
 */
function methodFault(model: string, method: string, { models, methods }: Registry): Fault {
  const names = methodNames(models.get(model)?.Class.prototype ?? null);
  const declare = 'List it with `publicMethod` in `publicMethods` of the addon.';
  if (names.includes(method))
    return { message: `the button's method "${method}" is not declared public.`, remedy: declare };
  const publicNames = names.filter((name) => methods.has(`${model}.${name}`));
  const remedy = didYouMean(method, publicNames) || didYouMean(method, names);
  return {
    message: `the button's method "${method}" does not exist.`,
    remedy: remedy || `Add it to the model. ${declare}`,
  };
}

const text = z.string().min(1);
const domain = z.array(z.unknown());
const item = z.union([
  text,
  z.looseObject({
    field: text,
    when: domain.optional(),
    widget: text.optional(),
    columns: z.array(text).optional(),
  }),
]);
const sections = z.array(z.looseObject({ items: z.array(item) }));
const button = z.looseObject({
  method: text.optional(),
  opens: z.object({ model: text, by: text, along: z.array(text).optional() }).optional(),
  reviews: z.object({ changes: text, apply: text }).optional(),
  label: text,
  when: domain.optional(),
  groups: z.array(text).optional(),
});
const count = z.looseObject({
  label: text,
  icon: iconName,
  model: text,
  by: text,
  domain: domain.optional(),
  sum: text.optional(),
  menu: text.optional(),
});
const document = z.looseObject({
  label: text,
  url: z.string().regex(/^(\/(?!\/)|\{\w+\})/),
  when: domain.optional(),
});
const shapes = {
  list: z.looseObject({ columns: z.array(item).min(1, 'a list needs a column'), order: text.optional() }),
  form: z.looseObject({
    title: text.optional(),
    image: text.optional(),
    status: text.optional(),
    buttons: z.array(button).optional(),
    counts: z.array(count).optional(),
    documents: z.array(document).optional(),
    sections: sections.optional(),
    tabs: z.array(z.looseObject({ label: text, sections })).optional(),
  }),
  kanban: z.union([
    z.looseObject({ adds: z.literal(true), lines: z.array(text) }),
    z.looseObject({
      title: text,
      image: text.optional(),
      lines: z.array(text).optional(),
      groupBy: text.optional(),
    }),
  ]),
  calendar: z.looseObject({
    title: text,
    start: text,
    end: text.optional(),
    allDay: text.optional(),
    color: text.optional(),
  }),
  graph: z.looseObject({
    chart: z.enum(['bar', 'line', 'pie']).optional(),
    measure: text,
    groupBy: z.array(text).min(1, 'a graph needs something to group by').max(2),
  }),
  pivot: z.looseObject({
    rows: z.array(text).max(3),
    columns: z.array(text).max(3).optional(),
    measures: z.array(text).min(1, 'a pivot table needs a measure'),
  }),
  search: z.looseObject({
    fields: z.array(text).optional(),
    filters: z.array(z.looseObject({ id: text, label: text, domain })).optional(),
    groups: z.array(z.looseObject({ id: text, label: text, by: text })).optional(),
  }),
} as const;

interface References {
  readonly fields: string[];
  /** Fields of graphs and pivot tables, which must be stored. */
  readonly grouped: string[];
  readonly domains: (readonly unknown[])[];
  readonly orders: string[];
  readonly methods: string[];
  readonly groups: string[];
  readonly widgets: string[];
  readonly opens: { model: string; by: string; along?: string[] }[];
  readonly columns: { relationField: string; field: string }[];
  readonly counts: z.infer<typeof count>[];
}
type Item = z.infer<typeof item>;
type Graph = z.infer<typeof shapes.graph>;
type Pivot = z.infer<typeof shapes.pivot>;
type Spec = { [K in keyof typeof shapes]: z.infer<(typeof shapes)[K]> }[keyof typeof shapes];

/** Returns the model names that a view uses. */
function referencesOf(spec: Spec): References {
  const references: References = {
    fields: [],
    grouped: [],
    domains: [],
    orders: [],
    methods: [],
    groups: [],
    widgets: [],
    opens: [],
    columns: [],
    counts: [],
  };
  if ('measure' in spec || 'measures' in spec) {
    const { measure, groupBy, rows = [], columns: across = [], measures = [] } = spec as Partial<Graph & Pivot>;
    const names = [...(measure ? [measure] : []), ...(groupBy ?? []), ...rows, ...across, ...measures];
    references.grouped.push(...names.filter((name) => name !== '__count').map((name) => name.split(':')[0] ?? name));
    return references;
  }
  for (const member of ['title', 'image', 'status', 'groupBy', 'start', 'end', 'allDay', 'color'] as const) {
    if (member in spec && typeof spec[member] === 'string') references.fields.push(spec[member]);
  }
  if ('order' in spec && typeof spec.order === 'string') references.orders.push(spec.order);
  const {
    columns = [],
    fields = [],
    lines = [],
    filters = [],
    groups = [],
    buttons = [],
    counts = [],
    documents = [],
    sections: formSections = [],
    tabs = [],
  } = spec as Partial<
    z.infer<typeof shapes.list> &
      z.infer<typeof shapes.form> &
      z.infer<typeof shapes.kanban> &
      z.infer<typeof shapes.search>
  >;
  references.fields.push(...fields, ...lines, ...groups.map(({ by: grouping }) => grouping.split(':')[0] ?? grouping));
  references.domains.push(
    ...filters.map((filter) => filter.domain),
    ...[...buttons, ...documents].flatMap(({ when: condition }) => (condition ? [condition] : [])),
  );
  references.counts.push(...counts);
  references.fields.push(...documents.flatMap(({ url }) => namesInBraces(url)));
  references.methods.push(
    ...buttons.flatMap(({ method, reviews }) => [method ?? [], reviews ? [reviews.changes, reviews.apply] : []].flat()),
  );
  references.groups.push(...buttons.flatMap((button) => button.groups ?? []));
  references.opens.push(...buttons.flatMap(({ opens }) => opens ?? []));
  for (const item of [
    ...columns,
    ...[...formSections, ...tabs.flatMap((tab) => tab.sections)].flatMap(({ items }) => items),
  ])
    note(item, references);
  return references;
}

function note(item: Item, references: References): void {
  if (typeof item === 'string') {
    references.fields.push(item);
    return;
  }
  const { field, when: condition, widget, columns = [] } = item;
  if (widget !== undefined) references.widgets.push(widget);
  references.fields.push(field);
  if (condition) references.domains.push(condition);
  references.columns.push(...columns.map((column) => ({ relationField: field, field: column })));
}

/** Returns the fields named in a document's address. */
function namesInBraces(url: string): string[] {
  return [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
