import type { Ctx } from 'pergola';
import type { Domain, FieldInfo, ModelInfo } from '../../backend/types.ts';
import { questions } from '../../points/questions.ts';
import { describeModel, type FieldDescription } from './describe-model.ts';
import {
  calendarView,
  formView,
  graphView,
  kanbanView,
  listView,
  pivotView,
  searchView,
  type ViewSource,
} from './views.ts';

/** Returns a model's definition for its screens, or null if it doesn't exist or the user has no access. */
export function modelInfo(ctx: Ctx, name: string): ModelInfo | null {
  const about = describeModel(ctx, name);
  if (!about) return null;
  const dayFields = new Map(
    Object.entries(about.fields).flatMap(([name, { local_day_of: of }]) =>
      typeof of === 'string' ? [[of, name] as const] : [],
    ),
  );
  const fields = Object.fromEntries(
    Object.entries(about.fields).map(([field, description]) => [field, fieldInfo(field, description, dayFields)]),
  );
  const source: ViewSource = { ctx, about, fields };
  const { label, nameField, archives, appendOnly, fullText, may, mixins } = about;
  return {
    name,
    label,
    nameField: nameField !== null && Object.hasOwn(fields, nameField) ? nameField : null,
    archives,
    appendOnly,
    fullText,
    may,
    mixins,
    fields,
    methods: about.methods.map((method) => method.name),
    asksAbout: ctx.get(questions).flatMap(({ model, fields: asked }) => (model === name ? asked : [])),
    list: listView(source),
    form: formView(source),
    kanban: kanbanView(source),
    calendar: calendarView(source),
    graph: graphView(source),
    pivot: pivotView(source),
    search: searchView(source),
  };
}

function fieldInfo(name: string, about: FieldDescription, dayFields: ReadonlyMap<string, string>): FieldInfo {
  return {
    name,
    kind: about.kind,
    label: String(about.string),
    help: text(about.help) ?? '',
    required: about.required === true,
    readonly: about.readonly === true,
    requiredWhen: domain(about.required_when),
    readonlyWhen: domain(about.readonly_when),
    hiddenWhen: domain(about.hidden_when),
    store: about.store === true,
    groupable: about.groupable === true,
    sortable: about.sortable === true,
    searchable: about.searchable === true,
    translate: about.translate === true,
    tracked: about.tracked === true,
    ...(about.filled === true ? { filled: true } : {}),
    selection: Array.isArray(about.selection) ? about.selection : [],
    colors: texts(about.colors),
    relation: text(about.relation),
    relationField: text(about.relation_field),
    domain: Array.isArray(about.domain) ? about.domain : [],
    within: texts(about.within),
    currencyField: text(about.currency_field),
    timezoneField: text(about.timezone_field),
    dayField: dayFields.get(name) ?? null,
    size: number(about.size),
    percentage: about.percentage === 'percent' || about.percentage === 'ratio' ? about.percentage : null,
    ...(Array.isArray(about.percentage_when) ? { percentageWhen: about.percentage_when } : {}),
    places: Array.isArray(about.digits) ? number(about.digits[1]) : null,
    min: number(about.min),
    max: number(about.max),
    maxBytes: number(about.maxBytes),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
function domain(value: unknown): Domain | null {
  return Array.isArray(value) ? value : null;
}
function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
