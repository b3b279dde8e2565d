import { t } from 'pergola/browser';
import { useMemo, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { widgetFor } from '../fields/registry.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { Icon } from '../lib/icon.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { needsValue, type Op, opsOf, periods, type Rule, type RuleGroup } from './conditions.ts';
import { opLabel, periodLabel } from './describe.ts';

/** Dialog that combines conditions by "all" or "any", including nested groups. */
export function FilterDialog({
  info,
  group,
  onDone,
  onClose,
}: {
  info: ModelInfo;
  group: RuleGroup;
  onDone(group: RuleGroup): void;
  onClose(): void;
}) {
  const fields = useMemo(
    () =>
      Object.values(info.fields)
        .filter(({ searchable }) => searchable)
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    [info],
  );
  const firstField = info.nameField ?? fields[0]?.name ?? 'id';
  const [draft, setDraft] = useState<RuleGroup>(
    group.rules.length > 0 ? group : { any: false, rules: [newRule(info, firstField)] },
  );
  return (
    <Dialog
      title={t('Conditions')}
      onClose={onClose}
      wide
      slot="filter-dialog"
      onSubmit={() => isReadable(draft) && onDone(withoutIncomplete(draft))}
      submit={t('Show')}
    >
      <GroupEditor info={info} fields={fields} group={draft} onChange={setDraft} firstField={firstField} depth={0} />
    </Dialog>
  );
}

/** Whether all values are valid; unreadable numbers show an error at their input. */
function isReadable({ rules }: RuleGroup): boolean {
  return rules.every((rule) => ('rules' in rule ? isReadable(rule) : !isUnreadable(rule.value)));
}

/** Removes conditions without a value, and empty groups. */
function withoutIncomplete(group: RuleGroup): RuleGroup {
  const rules = group.rules.flatMap((rule): (Rule | RuleGroup)[] => {
    if ('rules' in rule) {
      const inner = withoutIncomplete(rule);
      return inner.rules.length > 0 ? [inner] : [];
    }
    const isEmpty = rule.value === '' || rule.value === null || rule.value === false || rule.value === undefined;
    return needsValue(rule.op) && isEmpty ? [] : [rule];
  });
  return { ...group, rules };
}

function newRule(info: ModelInfo, field: string): Rule {
  const kind = info.fields[field]?.kind ?? 'char';
  const op = opsOf(kind)[0] ?? 'set';
  return { field, op, value: firstValue(op) };
}

function firstValue(op: Op): unknown {
  return op === 'period' ? 'this_month' : false;
}

const MAX_DEPTH = 2;

function GroupEditor({
  info,
  fields,
  group,
  onChange,
  onRemove,
  firstField,
  depth,
}: {
  info: ModelInfo;
  fields: readonly FieldInfo[];
  group: RuleGroup;
  onChange(group: RuleGroup): void;
  onRemove?(): void;
  firstField: string;
  depth: number;
}) {
  const { any, rules } = group;
  const replace = (index: number, rule: Rule | RuleGroup | null): void =>
    onChange({
      any,
      rules: rules.flatMap((sibling, position) => (position !== index ? [sibling] : rule ? [rule] : [])),
    });
  return (
    <fieldset className="backend-rules">
      <legend className="backend-rules-head">
        <select
          className="form-select form-select-sm w-auto"
          aria-label={t('Match')}
          value={any ? 'any' : 'all'}
          onChange={(event) => onChange({ any: event.target.value === 'any', rules })}
        >
          <option value="all">{t('Match all')}</option>
          <option value="any">{t('Match any')}</option>
        </select>
        {onRemove && (
          <button type="button" className="btn btn-sm btn-icon" aria-label={t('Remove group')} onClick={onRemove}>
            <Icon name="x-lg" />
          </button>
        )}
      </legend>
      {rules.map((rule, index) =>
        'rules' in rule ? (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are identified by their index only
            key={index}
            info={info}
            fields={fields}
            group={rule}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
            firstField={firstField}
            depth={depth + 1}
          />
        ) : (
          <RuleEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are identified by their index only
            key={index}
            info={info}
            fields={fields}
            rule={rule}
            onChange={(next) => replace(index, next)}
            onRemove={() => replace(index, null)}
          />
        ),
      )}
      <div className="d-flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={() => onChange({ any, rules: [...rules, newRule(info, firstField)] })}
        >
          <Icon name="plus-lg" /> {t('Add a condition')}
        </button>
        {depth < MAX_DEPTH && (
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            onClick={() => onChange({ any, rules: [...rules, { any: !any, rules: [newRule(info, firstField)] }] })}
          >
            <Icon name="plus-lg" /> {t('Add a group')}
          </button>
        )}
      </div>
    </fieldset>
  );
}

function RuleEditor({
  info,
  fields,
  rule,
  onChange,
  onRemove,
}: {
  info: ModelInfo;
  fields: readonly FieldInfo[];
  rule: Rule;
  onChange(rule: Rule): void;
  onRemove(): void;
}) {
  const field = info.fields[rule.field];
  if (!field) return null;
  return (
    <div className="backend-rule">
      <select
        className="form-select form-select-sm"
        aria-label={t('Field')}
        value={rule.field}
        onChange={(event) => onChange(newRule(info, event.target.value))}
      >
        {fields.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="form-select form-select-sm"
        aria-label={t('Operator')}
        value={rule.op}
        onChange={(event) => {
          const op = event.target.value as Op;
          const isKept = sameValue(field, rule.op, op);
          onChange({ ...rule, op, value: isKept ? rule.value : firstValue(op) });
        }}
      >
        {opsOf(field.kind).map((op) => (
          <option key={op} value={op}>
            {opLabel(op)}
          </option>
        ))}
      </select>
      {needsValue(rule.op) ? (
        <RuleValue field={field} model={info.name} rule={rule} onChange={(value) => onChange({ ...rule, value })} />
      ) : (
        <span />
      )}
      <button type="button" className="btn btn-sm btn-icon" aria-label={t('Remove condition')} onClick={onRemove}>
        <Icon name="x-lg" />
      </button>
    </div>
  );
}

/** Whether a value stays valid when the operator changes. A selected record isn't a text. */
function sameValue({ kind }: FieldInfo, before: Op, after: Op): boolean {
  if (before === 'period' || after === 'period') return before === after;
  const isRelation = kind === 'many2one';
  return !isRelation || (before === 'contains') === (after === 'contains');
}

function RuleValue({
  field,
  model,
  rule,
  onChange,
}: {
  field: FieldInfo;
  model: string;
  rule: Rule;
  onChange(value: unknown): void;
}) {
  if (rule.op === 'period') {
    return (
      <select
        className="form-select form-select-sm"
        aria-label={t('Period')}
        value={String(rule.value)}
        onChange={(event) => onChange(event.target.value)}
      >
        {periods.map((period) => (
          <option key={period} value={period}>
            {periodLabel(period)}
          </option>
        ))}
      </select>
    );
  }
  const asText = rule.op === 'contains' || rule.op === 'lacks';
  // Moments are compared by day; seconds are never meant.
  const kind = asText
    ? 'char'
    : field.kind === 'datetime'
      ? 'date'
      : field.kind === 'html' || field.kind === 'text'
        ? 'char'
        : field.kind;
  const editedField: FieldInfo = { ...field, kind, required: false, size: 200 };
  const { Edit } = widgetFor(editedField);
  return Edit ? (
    <Edit
      id={`rule-${field.name}`}
      label={t('Value')}
      value={rule.value}
      field={editedField}
      record={{}}
      model={model}
      onChange={onChange}
      inList
    />
  ) : null;
}
