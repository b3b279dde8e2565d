import { type BoundModel, type CompiledField, isGroupable, isWritable, mayUseField, readableFields } from 'pergola/orm';
import { ownText } from 'pergola/pages';

/** Odoo's names of field types. */
const wireTypes: Partial<Record<CompiledField['type'], string>> = {
  decimal: 'float',
  money: 'monetary',
  image: 'binary',
};

/** Returns the fields that the caller may read, by name, in the format of Odoo's `fields_get`. */
export function fieldsGet(
  bound: BoundModel,
  names: readonly string[] | null,
  attributes: readonly string[] | null,
): Record<string, Record<string, unknown>> {
  const requestedNames = names && new Set(names);
  const descriptions: Record<string, Record<string, unknown>> = {};
  for (const name of readableFields(bound)) {
    const field = bound.compiled.fields.get(name);
    if (!field || (requestedNames && !requestedNames.has(name))) continue;
    const all = describe(bound, field);
    descriptions[name] = attributes
      ? Object.fromEntries(Object.entries(all).filter(([key]) => attributes.includes(key)))
      : all;
  }
  return descriptions;
}

/** Returns the conditions under which a field is read-only, required or hidden, as domains for clients. */
function byState({ options: { readonly, required, hidden } }: CompiledField): Record<string, unknown> {
  return {
    ...(typeof readonly === 'object' ? { readonly_when: readonly } : {}),
    ...(typeof required === 'object' ? { required_when: required } : {}),
    ...(hidden ? { hidden_when: hidden } : {}),
  };
}

function describe(bound: BoundModel, field: CompiledField): Record<string, unknown> {
  const { ctx } = bound;
  const { type, options, relation, choices, declared } = field;
  return {
    type: wireTypes[type] ?? type,
    string: ownText(ctx, field.addon, field.label),
    ...(options.help ? { help: ownText(ctx, field.addon, options.help) } : {}),
    required: field.required && options.filled !== true,
    readonly: !isWritable(field),
    ...byState(field),
    store: field.stored,
    searchable: field.stored || relation?.kind === 'one2many' || field.related !== null,
    sortable: field.column !== null,
    groupable: isGroupable(bound.registry, field),
    translate: field.translated,
    depends: [...field.depends],
    ...(field.related ? { related: field.related.join('.') } : {}),
    ...(choices
      ? { selection: [...choices].map(([value, { label, addon }]) => [value, ownText(ctx, addon, label)]) }
      : {}),
    ...(options.colors ? { colors: options.colors } : {}),
    ...(declared.to ? { relation: declared.to, domain: options.domain ?? [] } : {}),
    ...(options.within ? { within: options.within } : {}),
    ...(relation?.kind === 'one2many' ? { relation_field: relation.inverse } : {}),
    ...(type === 'decimal' ? { digits: [16, options.places ?? 6] } : {}),
    ...(type === 'money' ? { currency_field: options.currency ?? 'currency_id' } : {}),
    ...(type === 'decimal' && options.currency ? { currency_field: options.currency } : {}),
    ...(options.percentage ? { percentage: options.percentage } : {}),
    ...(options.percentageWhen ? { percentage_when: options.percentageWhen } : {}),
    ...(type === 'datetime' && options.timezone ? { timezone_field: options.timezone } : {}),
    ...(options.localDayOf ? { local_day_of: options.localDayOf } : {}),
    ...(type === 'char' ? { size: options.size ?? 255 } : {}),
    ...(field.groups.length > 0 && mayUseField(ctx, field) ? { groups: field.groups.join(',') } : {}),
  };
}
