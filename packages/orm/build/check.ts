import { didYouMean, wayBack } from '@pergola/core';
import type { CompiledField } from '../compiled.ts';
import { leavesOf, parseDomain } from '../domain/parse.ts';
import { isText } from '../fields.ts';
import type { RawDomain } from '../types.ts';
import type { Report } from './collect.ts';
import type { ModelDraft } from './draft.ts';
import { nameFieldOf, nameSearchOf } from './fold-columns.ts';
import {
  choiceFault,
  domainFaults,
  type FieldsOfModel,
  isFault,
  parseOrder,
  resolvePath,
  unsortable,
} from './paths.ts';

/** Inputs of the checks. */
interface CheckContext {
  readonly drafts: ReadonlyMap<string, ModelDraft>;
  readonly absent: ReadonlyMap<string, string>;
  readonly fieldsOf: FieldsOfModel;
  readonly report: Report;
}

/** Reports every problem across models; later steps rely on the checks. */
export function checkDrafts(
  drafts: ReadonlyMap<string, ModelDraft>,
  absent: ReadonlyMap<string, string>,
  report: Report,
): void {
  const context: CheckContext = { drafts, absent, report, fieldsOf: (model) => drafts.get(model)?.fields };
  checkTables(context);
  for (const draft of drafts.values()) {
    for (const field of draft.fields.values()) {
      if (field.base) continue;
      checkRelation(field, context);
      checkChoices(field, context);
      checkMoney(field, draft, context);
      checkTimezone(field, draft, context);
      checkFollowed(field, context);
      checkConditions(field, context);
    }
    checkOptions(draft, context);
    checkSecrets(draft, context);
  }
}

function checkTables({ drafts, report }: CheckContext): void {
  const owners = new Map<string, ModelDraft>();
  for (const draft of drafts.values()) {
    const { addon } = draft.collected.owner;
    const existing = owners.get(draft.table);
    if (existing)
      report(
        addon,
        `“${draft.name}” and “${existing.name}” (addon ${existing.collected.owner.addon}) share the table ${draft.table}.`,
        'Give one of them another.',
      );
    if (/^(core_|ir_module$|sqlite_|pg_)/.test(draft.table) && !draft.options.coreTable) {
      report(
        addon,
        `“${draft.name}” takes the table ${draft.table}, whose name belongs to the application.`,
        'Take another name.',
      );
    }
    owners.set(draft.table, draft);
  }
}

function checkRelation(field: CompiledField, context: CheckContext): void {
  const { relation } = field;
  const to = field.declared.to;
  if (to === undefined) return;
  const where = `“${field.model}.${field.name}”`;
  const target = context.drafts.get(to);
  if (!target) {
    const definingAddon = context.absent.get(to);
    const remedy = definingAddon
      ? `Addon ${definingAddon} brings it: add it to “depends”.`
      : didYouMean(to, context.drafts.keys());
    context.report(field.addon, `${where} leads to the model “${to}”, which is not there.`, remedy);
    return;
  }
  if (relation?.kind === 'one2many') checkInverse(field, relation.inverse, target, context);
  if (relation?.kind === 'many2many') checkBetween(field, context);
}

/** Checks the fields that filter or sort a relation's choices, and conditions of percentages. */
function checkChoices(field: CompiledField, { drafts, fieldsOf, report }: CheckContext): void {
  const { domain = [], within: sharedFields = {}, order, percentageWhen = [] } = field.options;
  const where = `“${field.model}.${field.name}”`;
  const check = (model: string, path: readonly string[], option: string): void => {
    const resolved = resolvePath(fieldsOf, model, path);
    if (isFault(resolved)) report(field.addon, `${where}, \`${option}\`: ${resolved.message}`, resolved.remedy);
  };
  for (const fault of domainFaults(fieldsOf, field.model, percentageWhen))
    report(field.addon, `${where}, \`percentageWhen\`: ${fault.message}`, fault.remedy);
  const target = field.declared.to;
  if (target === undefined || !drafts.has(target)) return;
  for (const fault of domainFaults(fieldsOf, target, domain))
    report(field.addon, `${where}, \`domain\`: ${fault.message}`, fault.remedy);
  for (const [targetField, ownField] of Object.entries(sharedFields)) {
    check(target, [targetField], 'within');
    check(field.model, [ownField], 'within');
  }
  for (const { path } of parseOrder(order ?? '') ?? []) check(target, path, 'order');
}

function checkInverse(
  field: CompiledField,
  inverse: string,
  target: ModelDraft,
  { report, drafts }: CheckContext,
): void {
  const where = `“${field.model}.${field.name}”`;
  const inverseField = target.fields.get(inverse);
  if (!inverseField) {
    report(
      field.addon,
      `${where} is the other side of “${target.name}.${inverse}”, which is not there.`,
      didYouMean(inverse, namesOf(target, 'many2one')),
    );
  } else if (inverseField.relation && !drafts.has(inverseField.relation.to)) {
    // The missing model is reported with the field that points to it.
  } else if (
    inverseField.relation?.kind !== 'many2one' ||
    inverseField.relation.to !== field.model ||
    inverseField.column === null
  ) {
    report(
      field.addon,
      `${where} is the other side of “${target.name}.${inverse}”, which is no kept many2one to “${field.model}”.`,
    );
  }
}

/** Checks that a join table serves at most one field of each model, and that both fields use the same columns. */
function checkBetween(field: CompiledField, { drafts, report }: CheckContext): void {
  const links = field.relation;
  if (links?.kind !== 'many2many') return;
  const where = `“${field.model}.${field.name}”`;
  const remedy = 'Give it relation: { table, from, to }.';
  if (field.declared.relation && links.from === links.toColumn)
    report(field.addon, `${where} has one column for both sides in ${links.table}.`, remedy);
  for (const { fields, table, name } of drafts.values()) {
    if (table === links.table)
      report(field.addon, `${where} keeps its links in ${links.table}, the table of “${name}”.`, remedy);
    for (const candidate of fields.values()) {
      const otherLinks = candidate.relation;
      if (otherLinks?.kind !== 'many2many' || otherLinks.table !== links.table || candidate === field) continue;
      const isOtherSide =
        candidate.model === links.to &&
        otherLinks.to === field.model &&
        otherLinks.from === links.toColumn &&
        otherLinks.toColumn === links.from;
      const isReported = `${candidate.model}.${candidate.name}` < `${field.model}.${field.name}`;
      if (!isOtherSide && !isReported) {
        report(
          field.addon,
          `${where} and “${candidate.model}.${candidate.name}” keep their links in one table, ${links.table}.`,
          remedy,
        );
      }
    }
  }
}

function checkMoney(field: CompiledField, draft: ModelDraft, { report }: CheckContext): void {
  if (field.type !== 'money') return;
  const name = field.options.currency ?? 'currency_id';
  if (draft.fields.get(name)?.relation?.kind === 'many2one') return;
  report(
    field.addon,
    `“${field.model}.${field.name}” is money, and its currency “${name}” is no many2one field of the model.`,
    didYouMean(name, namesOf(draft, 'many2one')) || 'Add that field, or name another by the option “currency”.',
  );
}

function namesOf(draft: ModelDraft, type: CompiledField['type']): string[] {
  return [...draft.fields.values()].filter((field) => field.type === type).map(({ name }) => name);
}

function checkTimezone(field: CompiledField, draft: ModelDraft, { report }: CheckContext): void {
  const { timezone, localDayOf } = field.options;
  if (timezone !== undefined && timezone !== '@site' && draft.fields.get(timezone)?.type !== 'char') {
    report(
      field.addon,
      `“${field.model}.${field.name}” is in the zone of “${timezone}”, which is no char field of the model.`,
      didYouMean(timezone, ['@site', ...namesOf(draft, 'char')]) ||
        'Add that field, or name another by the option “timezone”; “@site” stands for the zone of the site.',
    );
  }
  if (localDayOf !== undefined && draft.fields.get(localDayOf)?.type !== 'datetime') {
    report(
      field.addon,
      `“${field.model}.${field.name}” is the day of “${localDayOf}”, which is no datetime field of the model.`,
      didYouMean(localDayOf, namesOf(draft, 'datetime')) || 'Name a datetime field of the model.',
    );
  }
}

/** Checks conditions in `readonly`, `required` and `hidden`: the fields exist and can have these values. */
function checkConditions(field: CompiledField, context: CheckContext): void {
  const { options, type, column } = field;
  for (const option of ['readonly', 'required', 'hidden'] as const) {
    const condition: unknown = options[option];
    if (typeof condition !== 'object' || condition === null) continue;
    const where = `“${field.model}.${field.name}” is ${option} by a condition`;
    if (option === 'required' && column === null)
      context.report(field.addon, `${where} and has no column.`, 'Let `validate` of the model ask for it.');
    if (option === 'readonly' && (field.compute || field.related))
      context.report(field.addon, `${where} and is never written.`, 'Leave it out.');
    for (const fault of conditionFaults(condition, field.model, context))
      context.report(field.addon, `${where}: ${fault.message}`, fault.remedy);
    if (option === 'required' && type === 'boolean')
      context.report(field.addon, `${where} and is yes or no, so never empty.`, 'Leave it out.');
  }
}

function conditionFaults(
  condition: object,
  model: string,
  { fieldsOf }: CheckContext,
): { message: string; remedy?: string }[] {
  let leaves: readonly { readonly path: readonly string[]; readonly values: readonly unknown[] }[];
  try {
    const { node, values } = parseDomain(condition as RawDomain);
    leaves = leavesOf(node).map(({ path, index }) => ({ path, values: [values[index]].flat() }));
  } catch (error) {
    return [{ message: error instanceof Error ? error.message : String(error) }];
  }
  return leaves.flatMap(({ path, values }) => {
    const resolved = resolvePath(fieldsOf, model, path);
    if (isFault(resolved)) return [resolved];
    const last = resolved.at(-1);
    if (last?.secret) return [{ message: `“${last.name}” is secret.`, remedy: 'Forms could not look at it.' }];
    if (last?.compute && last.column === null)
      return [{ message: `“${last.name}” is worked out when it is read.`, remedy: 'Give it “store”.' }];
    return choiceFault(last, values) ?? [];
  });
}

/** Checks that the dependencies of computed and related fields exist, and that types match. */
function checkFollowed(field: CompiledField, { fieldsOf, report }: CheckContext): void {
  const where = `“${field.model}.${field.name}”`;
  for (const path of field.depends) {
    const resolved = resolvePath(fieldsOf, field.model, path.split('.'));
    if (isFault(resolved)) report(field.addon, `${where} depends on “${path}”: ${resolved.message}`, resolved.remedy);
  }
  if (field.related) {
    const resolved = resolvePath(fieldsOf, field.model, field.related);
    if (isFault(resolved))
      report(field.addon, `${where} is related to “${field.related.join('.')}”: ${resolved.message}`, resolved.remedy);
    else if (endsInCircle(field, fieldsOf))
      report(field.addon, `${where} is related to itself.`, 'Related fields lead to a field that holds a value.');
    else checkRelated(field, resolved, report);
  }
}

/** Whether following a related field, and the fields it points to, leads back to one of them. */
function endsInCircle(field: CompiledField, fieldsOf: FieldsOfModel, visited: readonly CompiledField[] = []): boolean {
  if (visited.includes(field)) return true;
  const resolved = field.related ? resolvePath(fieldsOf, field.model, field.related) : [];
  return !isFault(resolved) && resolved.some((next) => endsInCircle(next, fieldsOf, [...visited, field]));
}

function checkRelated(field: CompiledField, path: readonly CompiledField[], report: Report): void {
  const where = `“${field.model}.${field.name}”`;
  const last = path.at(-1);
  const several = path.slice(0, -1).find(({ relation }) => relation?.kind !== 'many2one');
  if (several)
    report(
      field.addon,
      `${where} is related through “${several.name}”, which leads to several records.`,
      'Use a computed field.',
    );
  if (field.options.writable && path.length !== 2)
    report(
      field.addon,
      `${where} is writable and related over ${path.length - 1} fields.`,
      'Only a path of one many2one field and a field can be written.',
    );
  if (last && (last.type !== field.type || last.declared.to !== field.declared.to)) {
    report(
      field.addon,
      `${where} is ${field.type} and related to “${last.model}.${last.name}”, which is ${last.type}.`,
      'Declare it as that.',
    );
  }
}

function checkOptions(draft: ModelDraft, { report, fieldsOf, drafts }: CheckContext): void {
  const { addon } = draft.collected.owner;
  const requireField = (field: string, option: string, declaringAddon: string): CompiledField | null => {
    const existing = draft.fields.get(field);
    if (!existing)
      report(
        declaringAddon,
        `“${draft.name}” names “${field}” in ${option}, and has no such field.`,
        didYouMean(field, draft.fields.keys()),
      );
    return existing ?? null;
  };
  for (const { path } of draft.order) {
    const resolved = resolvePath(fieldsOf, draft.name, path);
    const fault = isFault(resolved) ? resolved.message : unsortable(resolved);
    if (fault)
      report(
        addon,
        `“${draft.name}” can’t be sorted by “${path.join('.')}”: ${fault}`,
        isFault(resolved) ? resolved.remedy : undefined,
      );
  }
  if (draft.options.nameField) requireField(draft.options.nameField, 'nameField', addon);
  checkNameSearch(draft, drafts, report, requireField);
  for (const { value, addon: declaringAddon } of draft.search) {
    const field = requireField(value, 'search', declaringAddon);
    if (field && (field.column === null || !isText(field.declared))) {
      report(declaringAddon, `“${draft.name}.${value}” is in search and isn’t a stored text.`);
    }
  }
  for (const { value, addon: declaringAddon } of draft.unique) {
    for (const field of value.fields)
      withColumn(requireField(field, 'unique', declaringAddon), 'unique', declaringAddon, report);
    if (value.where) withColumn(requireField(value.where, 'unique', declaringAddon), 'unique', declaringAddon, report);
  }
  for (const { value, addon: declaringAddon } of draft.indexes) {
    for (const field of value)
      withColumn(requireField(field, 'indexes', declaringAddon), 'indexes', declaringAddon, report);
  }
  for (const field of Object.values(draft.options.attachedTo ?? {}))
    withColumn(requireField(field, 'attachedTo', addon), 'attachedTo', addon, report);
}

type FieldLookup = (field: string, option: string, declaringAddon: string) => CompiledField | null;

function checkNameSearch(
  draft: ModelDraft,
  drafts: CheckContext['drafts'],
  report: Report,
  requireField: FieldLookup,
): void {
  const { addon } = draft.collected.owner;
  for (const name of draft.options.nameSearch ?? []) {
    const field = requireField(name, 'nameSearch', addon);
    if (field && !field.relation && (field.column === null || field.type === 'html' || !isText(field.declared)))
      report(addon, `“${draft.name}.${name}” is in nameSearch and is neither a stored text nor a relation.`);
  }
  if (draft.options.nameSearch && wayBack(draft.name, (name) => namesBehind(drafts.get(name))))
    report(addon, `Looking for “${draft.name}” by name leads back to it.`, 'Take a field out of nameSearch.');
}

/** Models whose names are searched when records of this model are looked up by name. */
function namesBehind(draft: ModelDraft | undefined): string[] {
  return (draft ? nameSearchOf(draft) : []).flatMap(({ relation }) => relation?.to ?? []);
}

function withColumn(field: CompiledField | null, option: string, addon: string, report: Report): void {
  if (field && field.column === null)
    report(addon, `“${field.model}.${field.name}” is in ${option} and has no column.`);
}

/**
 * Reports uses that would reveal a secret field to every reader of a record: as its name, in name search, in full text, in the order, and
 * through related fields.
 */
function checkSecrets(
  draft: ModelDraft,
  { fieldsOf, report }: { readonly fieldsOf: FieldsOfModel; readonly report: Report },
): void {
  const { addon } = draft.collected.owner;
  const fieldsAlong = (path: readonly string[]): readonly CompiledField[] => {
    const resolved = resolvePath(fieldsOf, draft.name, path);
    return isFault(resolved) ? [] : resolved;
  };
  const usages: readonly (readonly [how: string, fields: readonly (CompiledField | null)[]])[] = [
    ['names its records by', [nameFieldOf(draft)]],
    ['looks for its records in', nameSearchOf(draft)],
    ['searches', draft.search.flatMap(({ value }) => fieldsAlong([value]))],
    ['is sorted by', draft.order.flatMap(({ path }) => fieldsAlong(path))],
  ];
  for (const [usage, fields] of usages) {
    const secret = fields.find((field) => field?.secret);
    if (secret) report(addon, `“${draft.name}” ${usage} “${secret.name}”, which is secret.`, 'Take another field.');
  }
  for (const field of draft.fields.values()) {
    const secret = field.secret ? undefined : fieldsAlong(field.related ?? []).find((target) => target.secret);
    if (!secret) continue;
    const where = `“${field.model}.${field.name}” is related to “${secret.model}.${secret.name}”`;
    report(field.addon, `${where}, which is secret.`, 'Say “secret” of it too.');
  }
}
