import { didYouMean, wayBack } from '@pergola/core';
import type { CompiledField } from '../compiled.ts';
import { leavesOf, parseDomain } from '../domain/parse.ts';
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

/** What a check works with. */
interface Scene {
  readonly drafts: ReadonlyMap<string, ModelDraft>;
  readonly absent: ReadonlyMap<string, string>;
  readonly fieldsOf: FieldsOfModel;
  readonly report: Report;
}

/** Reports everything that is wrong across models; what is checked here may be relied on afterwards. */
export function checkDrafts(
  drafts: ReadonlyMap<string, ModelDraft>,
  absent: ReadonlyMap<string, string>,
  report: Report,
): void {
  const scene: Scene = { drafts, absent, report, fieldsOf: (model) => drafts.get(model)?.fields };
  checkTables(scene);
  for (const draft of drafts.values()) {
    for (const field of draft.fields.values()) {
      if (field.base) continue;
      checkRelation(field, scene);
      checkChoices(field, scene);
      checkMoney(field, draft, scene);
      checkTimezone(field, draft, scene);
      checkFollowed(field, scene);
      checkConditions(field, scene);
    }
    checkOptions(draft, scene);
    checkSecrets(draft, scene);
  }
}

function checkTables({ drafts, report }: Scene): void {
  const owners = new Map<string, ModelDraft>();
  for (const draft of drafts.values()) {
    const { addon } = draft.collected.owner;
    const other = owners.get(draft.table);
    if (other)
      report(
        addon,
        `“${draft.name}” and “${other.name}” (addon ${other.collected.owner.addon}) share the table ${draft.table}.`,
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

function checkRelation(field: CompiledField, scene: Scene): void {
  const { relation } = field;
  const to = field.declared.to;
  if (to === undefined) return;
  const where = `“${field.model}.${field.name}”`;
  const target = scene.drafts.get(to);
  if (!target) {
    const bringer = scene.absent.get(to);
    const remedy = bringer ? `Addon ${bringer} brings it: add it to “depends”.` : didYouMean(to, scene.drafts.keys());
    scene.report(field.addon, `${where} leads to the model “${to}”, which is not there.`, remedy);
    return;
  }
  if (relation?.kind === 'one2many') checkInverse(field, relation.inverse, target, scene);
  if (relation?.kind === 'many2many') checkBetween(field, scene);
}

/** Fields that narrow or sort what a relation offers, and conditions of percentages. */
function checkChoices(field: CompiledField, { drafts, fieldsOf, report }: Scene): void {
  const { domain = [], within = {}, order, percentageWhen = [] } = field.options;
  const where = `“${field.model}.${field.name}”`;
  const check = (model: string, path: readonly string[], option: string): void => {
    const found = resolvePath(fieldsOf, model, path);
    if (isFault(found)) report(field.addon, `${where}, \`${option}\`: ${found.message}`, found.remedy);
  };
  for (const fault of domainFaults(fieldsOf, field.model, percentageWhen))
    report(field.addon, `${where}, \`percentageWhen\`: ${fault.message}`, fault.remedy);
  const target = field.declared.to;
  if (target === undefined || !drafts.has(target)) return;
  for (const fault of domainFaults(fieldsOf, target, domain))
    report(field.addon, `${where}, \`domain\`: ${fault.message}`, fault.remedy);
  for (const [theirs, ours] of Object.entries(within)) {
    check(target, [theirs], 'within');
    check(field.model, [ours], 'within');
  }
  for (const { path } of parseOrder(order ?? '') ?? []) check(target, path, 'order');
}

function checkInverse(field: CompiledField, inverse: string, target: ModelDraft, { report, drafts }: Scene): void {
  const where = `“${field.model}.${field.name}”`;
  const other = target.fields.get(inverse);
  if (!other) {
    report(
      field.addon,
      `${where} is the other side of “${target.name}.${inverse}”, which is not there.`,
      didYouMean(inverse, namesOf(target, 'many2one')),
    );
  } else if (other.relation && !drafts.has(other.relation.to)) {
    // That its model is missing is reported there.
  } else if (other.relation?.kind !== 'many2one' || other.relation.to !== field.model || other.column === null) {
    report(
      field.addon,
      `${where} is the other side of “${target.name}.${inverse}”, which is no kept many2one to “${field.model}”.`,
    );
  }
}

/** A table between two models serves at most one field of each, and both must see the same columns. */
function checkBetween(field: CompiledField, { drafts, report }: Scene): void {
  const mine = field.relation;
  if (mine?.kind !== 'many2many') return;
  const where = `“${field.model}.${field.name}”`;
  const remedy = 'Give it relation: { table, from, to }.';
  if (field.declared.relation && mine.from === mine.toColumn)
    report(field.addon, `${where} has one column for both sides in ${mine.table}.`, remedy);
  for (const { fields, table, name } of drafts.values()) {
    if (table === mine.table)
      report(field.addon, `${where} keeps its links in ${mine.table}, the table of “${name}”.`, remedy);
    for (const other of fields.values()) {
      const theirs = other.relation;
      if (theirs?.kind !== 'many2many' || theirs.table !== mine.table || other === field) continue;
      const isOtherSide =
        other.model === mine.to &&
        theirs.to === field.model &&
        theirs.from === mine.toColumn &&
        theirs.toColumn === mine.from;
      const isReported = `${other.model}.${other.name}` < `${field.model}.${field.name}`;
      if (!isOtherSide && !isReported) {
        report(
          field.addon,
          `${where} and “${other.model}.${other.name}” keep their links in one table, ${mine.table}.`,
          remedy,
        );
      }
    }
  }
}

function checkMoney(field: CompiledField, draft: ModelDraft, { report }: Scene): void {
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

function checkTimezone(field: CompiledField, draft: ModelDraft, { report }: Scene): void {
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

/** `readonly`, `required` and `hidden` by state: the fields are there, and hold such values. */
function checkConditions(field: CompiledField, scene: Scene): void {
  const { options, type, column } = field;
  for (const option of ['readonly', 'required', 'hidden'] as const) {
    const condition: unknown = options[option];
    if (typeof condition !== 'object' || condition === null) continue;
    const where = `“${field.model}.${field.name}” is ${option} by a condition`;
    if (option === 'required' && column === null)
      scene.report(field.addon, `${where} and has no column.`, 'Let `validate` of the model ask for it.');
    if (option === 'readonly' && (field.compute || field.related))
      scene.report(field.addon, `${where} and is never written.`, 'Leave it out.');
    for (const fault of conditionFaults(condition, field.model, scene))
      scene.report(field.addon, `${where}: ${fault.message}`, fault.remedy);
    if (option === 'required' && type === 'boolean')
      scene.report(field.addon, `${where} and is yes or no, so never empty.`, 'Leave it out.');
  }
}

function conditionFaults(
  condition: object,
  model: string,
  { fieldsOf }: Scene,
): { message: string; remedy?: string }[] {
  let leaves: readonly { readonly path: readonly string[]; readonly values: readonly unknown[] }[];
  try {
    const { node, values } = parseDomain(condition as RawDomain);
    leaves = leavesOf(node).map(({ path, index }) => ({ path, values: [values[index]].flat() }));
  } catch (error) {
    return [{ message: error instanceof Error ? error.message : String(error) }];
  }
  return leaves.flatMap(({ path, values }) => {
    const found = resolvePath(fieldsOf, model, path);
    if (isFault(found)) return [found];
    const last = found.at(-1);
    if (last?.secret) return [{ message: `“${last.name}” is secret.`, remedy: 'Forms could not look at it.' }];
    if (last?.compute && last.column === null)
      return [{ message: `“${last.name}” is worked out when it is read.`, remedy: 'Give it “store”.' }];
    return choiceFault(last, values) ?? [];
  });
}

/** Computed and related fields: what they follow exists, and fits. */
function checkFollowed(field: CompiledField, { fieldsOf, report }: Scene): void {
  const where = `“${field.model}.${field.name}”`;
  for (const path of field.depends) {
    const found = resolvePath(fieldsOf, field.model, path.split('.'));
    if (isFault(found)) report(field.addon, `${where} depends on “${path}”: ${found.message}`, found.remedy);
  }
  if (field.related) {
    const found = resolvePath(fieldsOf, field.model, field.related);
    if (isFault(found))
      report(field.addon, `${where} is related to “${field.related.join('.')}”: ${found.message}`, found.remedy);
    else if (endsInCircle(field, fieldsOf))
      report(field.addon, `${where} is related to itself.`, 'Related fields lead to a field that holds a value.');
    else checkRelated(field, found, report);
  }
}

/** Whether following a related field, and those it leads to, comes back to one of them. */
function endsInCircle(field: CompiledField, fieldsOf: FieldsOfModel, above: readonly CompiledField[] = []): boolean {
  if (above.includes(field)) return true;
  const found = field.related ? resolvePath(fieldsOf, field.model, field.related) : [];
  return !isFault(found) && found.some((next) => endsInCircle(next, fieldsOf, [...above, field]));
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

function checkOptions(draft: ModelDraft, { report, fieldsOf, drafts }: Scene): void {
  const { addon } = draft.collected.owner;
  const named = (field: string, by: string, who: string): CompiledField | null => {
    const found = draft.fields.get(field);
    if (!found)
      report(
        who,
        `“${draft.name}” names “${field}” in ${by}, and has no such field.`,
        didYouMean(field, draft.fields.keys()),
      );
    return found ?? null;
  };
  for (const { path } of draft.order) {
    const found = resolvePath(fieldsOf, draft.name, path);
    const fault = isFault(found) ? found.message : unsortable(found);
    if (fault)
      report(
        addon,
        `“${draft.name}” cannot be sorted by “${path.join('.')}”: ${fault}`,
        isFault(found) ? found.remedy : undefined,
      );
  }
  if (draft.options.nameField) named(draft.options.nameField, 'nameField', addon);
  checkNameSearch(draft, drafts, report, named);
  for (const { value, addon: who } of draft.search) {
    const field = named(value, 'search', who);
    if (field && (field.column === null || !['char', 'text', 'html'].includes(field.type))) {
      report(who, `“${draft.name}.${value}” is in search and is no kept text.`);
    }
  }
  for (const { value, addon: who } of draft.unique) {
    for (const field of value.fields) withColumn(named(field, 'unique', who), 'unique', who, report);
    if (value.where) withColumn(named(value.where, 'unique', who), 'unique', who, report);
  }
  for (const { value, addon: who } of draft.indexes) {
    for (const field of value) withColumn(named(field, 'indexes', who), 'indexes', who, report);
  }
  for (const field of Object.values(draft.options.attachedTo ?? {}))
    withColumn(named(field, 'attachedTo', addon), 'attachedTo', addon, report);
}

type Named = (field: string, by: string, who: string) => CompiledField | null;

function checkNameSearch(draft: ModelDraft, drafts: Scene['drafts'], report: Report, named: Named): void {
  const { addon } = draft.collected.owner;
  for (const name of draft.options.nameSearch ?? []) {
    const field = named(name, 'nameSearch', addon);
    if (field && !field.relation && (field.column === null || !['char', 'text'].includes(field.type)))
      report(addon, `“${draft.name}.${name}” is in nameSearch and is neither a kept text nor a relation.`);
  }
  if (draft.options.nameSearch && wayBack(draft.name, (name) => namesBehind(drafts.get(name))))
    report(addon, `Looking for “${draft.name}” by name leads back to it.`, 'Take a field out of nameSearch.');
}

/** The models by whose names records of this one are looked for. */
function namesBehind(draft: ModelDraft | undefined): string[] {
  return (draft ? nameSearchOf(draft) : []).flatMap(({ relation }) => relation?.to ?? []);
}

function withColumn(field: CompiledField | null, by: string, addon: string, report: Report): void {
  if (field && field.column === null) report(addon, `“${field.model}.${field.name}” is in ${by} and has no column.`);
}

/**
 * Reports what would show or tell a secret field to everybody who reads the record: its name, how it is looked for and sorted, and fields that
 * mirror another one.
 */
function checkSecrets(
  draft: ModelDraft,
  { fieldsOf, report }: { readonly fieldsOf: FieldsOfModel; readonly report: Report },
): void {
  const { addon } = draft.collected.owner;
  const along = (path: readonly string[]): readonly CompiledField[] => {
    const found = resolvePath(fieldsOf, draft.name, path);
    return isFault(found) ? [] : found;
  };
  const shown: readonly (readonly [how: string, fields: readonly (CompiledField | null)[]])[] = [
    ['names its records by', [nameFieldOf(draft)]],
    ['looks for its records in', nameSearchOf(draft)],
    ['searches', draft.search.flatMap(({ value }) => along([value]))],
    ['is sorted by', draft.order.flatMap(({ path }) => along(path))],
  ];
  for (const [how, fields] of shown) {
    const secret = fields.find((field) => field?.secret);
    if (secret) report(addon, `“${draft.name}” ${how} “${secret.name}”, which is secret.`, 'Take another field.');
  }
  for (const field of draft.fields.values()) {
    const secret = field.secret ? undefined : along(field.related ?? []).find((one) => one.secret);
    if (!secret) continue;
    const where = `“${field.model}.${field.name}” is related to “${secret.model}.${secret.name}”`;
    report(field.addon, `${where}, which is secret.`, 'Say “secret” of it too.');
  }
}
