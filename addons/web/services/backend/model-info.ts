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
  const modelDescription = describeModel(ctx, name);
  if (!modelDescription) return null;
  const dayFields = new Map(
    Object.entries(modelDescription.fields).flatMap(([name, { local_day_of: momentField }]) =>
      typeof momentField === 'string' ? [[momentField, name] as const] : [],
    ),
  );
  const fields = Object.fromEntries(
    Object.entries(modelDescription.fields).map(([field, description]) => [
      field,
      fieldInfo(field, description, dayFields),
    ]),
  );
  const source: ViewSource = { ctx, description: modelDescription, fields };
  const { label, nameField, archives, appendOnly, undoes, fullText, may, mixins } = modelDescription;
  return {
    name,
    label,
    nameField: nameField !== null && Object.hasOwn(fields, nameField) ? nameField : null,
    archives,
    appendOnly,
    undoes,
    fullText,
    may,
    mixins,
    fields,
    methods: modelDescription.methods.map((method) => method.name),
    asksAbout: ctx
      .get(questions)
      .flatMap(({ model, fields: questionFields }) => (model === name ? questionFields : [])),
    list: listView(source),
    form: formView(source),
    kanban: kanbanView(source),
    calendar: calendarView(source),
    graph: graphView(source),
    pivot: pivotView(source),
    search: searchView(source),
  };
}

function fieldInfo(name: string, description: FieldDescription, dayFields: ReadonlyMap<string, string>): FieldInfo {
  return {
    name,
    kind: description.kind,
    label: String(description.string),
    help: text(description.help) ?? '',
    required: description.required === true,
    readonly: description.readonly === true,
    requiredWhen: domain(description.required_when),
    readonlyWhen: domain(description.readonly_when),
    hiddenWhen: domain(description.hidden_when),
    store: description.store === true,
    groupable: description.groupable === true,
    sortable: description.sortable === true,
    searchable: description.searchable === true,
    translate: description.translate === true,
    tracked: description.tracked === true,
    ...(description.filled === true ? { filled: true } : {}),
    selection: Array.isArray(description.selection) ? description.selection : [],
    colors: texts(description.colors),
    relation: text(description.relation),
    relationField: text(description.relation_field),
    domain: Array.isArray(description.domain) ? description.domain : [],
    within: texts(description.within),
    currencyField: text(description.currency_field),
    timezoneField: text(description.timezone_field),
    dayField: dayFields.get(name) ?? null,
    size: number(description.size),
    percentage:
      description.percentage === 'percent' || description.percentage === 'ratio' ? description.percentage : null,
    ...(Array.isArray(description.percentage_when) ? { percentageWhen: description.percentage_when } : {}),
    places: Array.isArray(description.digits) ? number(description.digits[1]) : null,
    min: number(description.min),
    max: number(description.max),
    maxBytes: number(description.maxBytes),
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
