import type { Ctx } from 'pergola';
import { ownText } from 'pergola/pages';
import type {
  CalendarView,
  FieldInfo,
  FormItemInfo,
  FormSectionInfo,
  FormView,
  GraphView,
  KanbanView,
  ListColumn,
  ListView,
  PivotView,
  SearchView,
  ViewButtonInfo,
} from '../../backend/types.ts';
import { mayUseModel } from '../admin/access.ts';
import type { ModelDescription } from './describe-model.ts';

/** Spec of a view, already checked when the generation was built. */
type Spec = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, FieldInfo>>;

/** Input for a model's views. */
interface Declared {
  readonly ctx: Ctx;
  readonly description: ModelDescription;
}
export interface ViewSource extends Declared {
  /** Fields readable by the user; views omit all others. */
  readonly fields: Fields;
}

/** Returns the counts above a model's form as declared by addons, with labels in the user's language. */
export function countsOf(source: Declared): readonly Spec[] {
  return specsOf(source, 'form')
    .flatMap((spec) => list(spec.counts))
    .map(object);
}

/** Returns the last spec of a kind, followed by the additions of other addons. */
function specsOf({ ctx, description }: Declared, type: string): readonly Spec[] {
  const specs = description.views
    .filter((view) => view.type === type)
    .map(({ spec, addon }) => object(translateSpec(spec, (text) => ownText(ctx, addon, text))));
  const base = specs.findLastIndex((spec) => spec.adds !== true);
  return specs.filter((spec, index) => index === base || spec.adds === true);
}

/** Translated properties of a spec. */
const translatedKeys: ReadonlySet<string> = new Set(['label', 'confirm']);

function translateSpec(value: unknown, t: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => translateSpec(item, t));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      translatedKeys.has(name) && typeof item === 'string' ? t(item) : translateSpec(item, t),
    ]),
  );
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
function object(value: unknown): Spec {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Spec) : {};
}
/** Returns the field's name if the user can see it. */
function visibleFieldName(fields: Fields, value: unknown): string | null {
  return typeof value === 'string' && Object.hasOwn(fields, value) ? value : null;
}

/** Returns the columns declared by an addon, else the most informative ones, starting with the name. */
export function listView(source: ViewSource): ListView {
  const { description, fields } = source;
  const specs = specsOf(source, 'list');
  const declared = specs
    .flatMap((spec) => list(spec.columns))
    .flatMap((column): ListColumn[] => {
      const spec = typeof column === 'string' ? { field: column } : object(column);
      const field = visibleFieldName(fields, spec.field);
      if (field === null) return [];
      const total = spec.total === 'sum' || spec.total === 'avg' ? spec.total : null;
      return [{ field, label: text(spec.label), optional: spec.optional === true, total, widget: text(spec.widget) }];
    });
  const columns = declared.length > 0 ? declared : defaultColumns(description, fields);
  return {
    columns: columns.filter(({ field }, index) => columns.findIndex((column) => column.field === field) === index),
    order: specs.map((spec) => text(spec.order)).find((order) => order !== null) ?? description.order,
    editable: specs.some((spec) => spec.editable === true),
  };
}

const plainKinds: ReadonlySet<string> = new Set([
  'char',
  'integer',
  'float',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'selection',
  'many2one',
]);
const coreFields: ReadonlySet<string> = new Set([
  'id',
  'create_date',
  'create_uid',
  'write_date',
  'write_uid',
  'display_name',
]);
/** Number of visible columns if no addon declares any. */
const FIRST_COLUMNS = 7;

function defaultColumns(description: ModelDescription, fields: Fields): ListColumn[] {
  const name = description.nameField ?? 'display_name';
  const names = Object.values(fields)
    .filter(({ kind, store, name: field }) => plainKinds.has(kind) && store && !coreFields.has(field) && field !== name)
    .map((field) => field.name);
  return [name, ...names].map((field, index) => ({
    field,
    label: null,
    optional: index >= FIRST_COLUMNS,
    total: null,
    widget: null,
  }));
}

/** Returns the form declared by an addon with additions of others, else all fields in one section and each list of lines in a tab. */
export function formView(source: ViewSource): FormView {
  const { ctx, description, fields } = source;
  const specs = specsOf(source, 'form');
  const first = (name: string) =>
    specs.map((spec) => visibleFieldName(fields, spec[name])).find((field) => field !== null) ?? null;
  const methods = new Map(description.methods.map((method) => [method.name, method]));
  const buttons = specs
    .flatMap((spec) => list(spec.buttons))
    .map(object)
    .map((button) => ({
      ...button,
      method: text(button.method),
      opens: opensOf(button.opens),
      reviews: reviewsOf(button.reviews),
    }))
    .filter(({ method, opens, reviews, groups }: ButtonSpec) => {
      const mayOpen = opens === null || mayUseModel(ctx, opens.model, 'create');
      const methodNames = [method, reviews?.changes, reviews?.apply].filter((name) => typeof name === 'string');
      return mayOpen && methodNames.every((name) => methods.has(name)) && isForUser(ctx, groups);
    })
    .map(({ method, opens, reviews, ...button }: ButtonSpec) => ({
      method,
      opens,
      reviews,
      label: text(button.label) ?? '',
      when: Array.isArray(button.when) ? button.when : null,
      confirm: text(button.confirm),
      primary: button.primary === true,
      bulk: button.bulk === true,
      mails: button.mails === true || (method !== null && methods.get(method)?.mails === true),
    }));
  const documents = specs
    .flatMap((spec) => list(spec.documents))
    .map(object)
    .map(({ label, url, when: condition }) => ({
      label: text(label) ?? '',
      url: text(url) ?? '',
      when: Array.isArray(condition) ? condition : null,
    }))
    .filter(({ url }) => [...url.matchAll(/\{(\w+)\}/g)].every(([, name]) => visibleFieldName(fields, name) !== null));
  const sections = specs.flatMap((spec) => sectionsOf(source, spec.sections));
  const tabs = tabsOf(source, specs);
  const laidOut = sections.length + tabs.length > 0;
  return {
    title: first('title') ?? (description.nameField && visibleFieldName(fields, description.nameField)),
    image: first('image'),
    status: first('status'),
    buttons,
    documents,
    hasCounts: specs.some((spec) => list(spec.counts).length > 0),
    ...(laidOut ? { sections, tabs } : defaultForm(source)),
  };
}

type ButtonSpec = Spec & Pick<ViewButtonInfo, 'method' | 'opens' | 'reviews'>;

function opensOf(spec: unknown): ViewButtonInfo['opens'] {
  const { model, by: inverseField, along: copiedFields } = object(spec);
  return typeof model === 'string' && typeof inverseField === 'string'
    ? { model, by: inverseField, along: list(copiedFields).map(String) }
    : null;
}

function reviewsOf(spec: unknown): ViewButtonInfo['reviews'] {
  const { changes, apply } = object(spec);
  return typeof changes === 'string' && typeof apply === 'string' ? { changes, apply } : null;
}

/** Whether the user is in one of the groups; no groups means everyone. */
function isForUser(ctx: Ctx, groups: unknown): boolean {
  const groupCodes = list(groups);
  return groupCodes.length === 0 || groupCodes.some((group) => ctx.has(String(group)));
}

/** Returns the tabs of all addons; tabs with the same name are merged. */
function tabsOf(source: ViewSource, specs: readonly Spec[]): FormView['tabs'] {
  const tabs = new Map<string, FormSectionInfo[]>();
  for (const { label, sections } of specs.flatMap((spec) => list(spec.tabs)).map(object)) {
    const name = text(label) ?? '';
    const visible = sectionsOf(source, sections);
    if (visible.length > 0) tabs.set(name, [...(tabs.get(name) ?? []), ...visible]);
  }
  return [...tabs].map(([label, sections]) => ({ label, sections }));
}

function sectionsOf({ fields }: ViewSource, specs: unknown): FormSectionInfo[] {
  return list(specs)
    .map(object)
    .map((section) => ({
      label: text(section.label),
      items: list(section.items).flatMap((item): FormItemInfo[] => {
        const spec = typeof item === 'string' ? { field: item } : object(item);
        const field = visibleFieldName(fields, spec.field);
        return field === null ? [] : [formItem(field, spec)];
      }),
      totals: section.totals === true,
    }))
    .filter(({ items }) => items.length > 0);
}

function formItem(field: string, spec: Spec = {}): FormItemInfo {
  const columns = Array.isArray(spec.columns) ? spec.columns.map(String) : null;
  return {
    field,
    label: text(spec.label),
    widget: text(spec.widget),
    when: Array.isArray(spec.when) ? spec.when : null,
    columns,
    wide: spec.wide === true,
  };
}

function defaultForm({ description, fields }: ViewSource): Pick<FormView, 'sections' | 'tabs'> {
  const formFields = Object.values(fields).filter(
    ({ name }) => !coreFields.has(name) && name !== description.nameField,
  );
  const isWide = (kind: string) => kind === 'html' || kind === 'text' || kind === 'json';
  const isLines = (kind: string) => kind === 'one2many';
  const items = formFields
    .filter(({ kind }) => !isLines(kind))
    .toSorted((a, b) => Number(isWide(a.kind)) - Number(isWide(b.kind)))
    .map(({ name, kind }) => formItem(name, { wide: isWide(kind) }));
  const tabs = formFields
    .filter(({ kind }) => isLines(kind))
    .map(({ name, label: title }) => ({
      label: title,
      sections: [{ label: null, items: [formItem(name, { wide: true })], totals: false }],
    }));
  return { sections: items.length > 0 ? [{ label: null, items, totals: false }] : [], tabs };
}

/** Returns the cards if an addon declares them; null if the user may not read their title. */
export function kanbanView(source: ViewSource): KanbanView | null {
  const specs = specsOf(source, 'kanban');
  const spec = specs.find((spec) => spec.adds !== true);
  const title = visibleFieldName(source.fields, spec?.title);
  if (!spec || title === null) return null;
  return {
    title,
    image: visibleFieldName(source.fields, spec.image),
    lines: specs.flatMap(({ lines }) => list(lines)).flatMap((line) => visibleFieldName(source.fields, line) ?? []),
    groupBy: visibleFieldName(source.fields, spec.groupBy),
  };
}

/** Returns the calendar if an addon declares one. */
export function calendarView(source: ViewSource): CalendarView | null {
  const { fields } = source;
  const spec = specsOf(source, 'calendar').at(-1);
  const title = visibleFieldName(fields, spec?.title);
  const start = visibleFieldName(fields, spec?.start);
  if (!spec || title === null || start === null) return null;
  const defaultField = fields.allday?.kind === 'boolean' ? 'allday' : null;
  const allDay = visibleFieldName(fields, spec.allDay) ?? defaultField;
  return { title, start, end: visibleFieldName(fields, spec.end), allDay, color: visibleFieldName(fields, spec.color) };
}

/** Returns a measure with its aggregate (`sum` by default) if the user can see its field. */
function measureOf(fields: Fields, value: unknown): string | null {
  if (value === '__count') return value;
  const [name = '', aggregate = 'sum'] = String(value ?? '').split(':');
  return visibleFieldName(fields, name) !== null && fields[name]?.groupable ? `${name}:${aggregate}` : null;
}

/** Returns the groupings whose field the user can see. */
function groupsOf(fields: Fields, value: unknown): string[] {
  return list(value)
    .map(String)
    .filter(
      (grouping) =>
        visibleFieldName(fields, grouping.split(':')[0]) !== null && fields[grouping.split(':')[0] ?? '']?.groupable,
    );
}

/** Returns the default grouping of a model without a graph: one offered by its search, else a selection, else the month of creation. */
function defaultGrouping(source: ViewSource): readonly string[] {
  const [searchGroup] = searchView(source).groups;
  if (searchGroup) return [searchGroup.by];
  const fields = Object.values(source.fields).filter(({ groupable, name }) => groupable && !coreFields.has(name));
  const choice = fields.find(({ kind }) => kind === 'selection') ?? fields.find(({ kind }) => kind === 'many2one');
  if (choice) return [choice.name];
  return visibleFieldName(source.fields, 'create_date') ? ['create_date:month'] : [];
}

/** Returns the graph declared by an addon, else the number of records by the default grouping. */
export function graphView(source: ViewSource): GraphView {
  const { fields } = source;
  const spec = specsOf(source, 'graph').at(-1) ?? {};
  const groupBy = groupsOf(fields, spec.groupBy);
  return {
    chart: spec.chart === 'line' || spec.chart === 'pie' ? spec.chart : 'bar',
    measure: measureOf(fields, spec.measure) ?? '__count',
    groupBy: groupBy.length > 0 ? groupBy : defaultGrouping(source),
    stacked: spec.stacked !== false,
  };
}

/** Returns the pivot table declared by an addon, else the number of records by the default grouping. */
export function pivotView(source: ViewSource): PivotView {
  const { fields } = source;
  const spec = specsOf(source, 'pivot').at(-1) ?? {};
  const rows = groupsOf(fields, spec.rows);
  const columns = groupsOf(fields, spec.columns);
  const measures = list(spec.measures).flatMap((measure) => measureOf(fields, measure) ?? []);
  return {
    rows: rows.length + columns.length > 0 ? rows : defaultGrouping(source),
    columns,
    measures: measures.length > 0 ? measures : ['__count'],
  };
}

/** Returns the search fields, filters and groupings of lists. */
export function searchView(source: ViewSource): SearchView {
  const { description, fields } = source;
  const specs = specsOf(source, 'search');
  const declared = specs.flatMap((spec) => list(spec.fields)).flatMap((field) => visibleFieldName(fields, field) ?? []);
  const nameField = visibleFieldName(fields, description.nameField);
  return {
    fields: [...new Set(declared.length > 0 ? declared : nameField ? [nameField] : [])],
    filters: specs
      .flatMap((spec) => list(spec.filters))
      .map(object)
      .filter((filter) =>
        conditionFields(list(filter.domain)).every((field) => visibleFieldName(fields, field) !== null),
      )
      .map((filter) => ({
        id: String(filter.id),
        label: text(filter.label) ?? String(filter.id),
        domain: list(filter.domain),
      })),
    groups: specs
      .flatMap((spec) => list(spec.groups))
      .map(object)
      .filter((group) => visibleFieldName(fields, String(group.by).split(':')[0]) !== null)
      .map((group) => ({
        id: String(group.id),
        label: text(group.label) ?? String(group.id),
        by: String(group.by),
      })),
  };
}

function conditionFields(domain: readonly unknown[]): string[] {
  return domain.flatMap((term) => (Array.isArray(term) ? [String(term[0]).split('.')[0] ?? ''] : []));
}
