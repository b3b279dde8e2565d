import { type Ctx, fold } from 'pergola';
import type { FieldInfo, ImportTarget, ModelInfo } from '../../../backend/types.ts';
import { t } from '../../../texts.ts';

/** How a column identifies records: by name, external id or id. */
export type Via = 'name' | 'id' | '.id';

/** Import target of a column. */
export interface Target {
  readonly field: FieldInfo | null;
  readonly via: Via;
}

const importable: ReadonlySet<string> = new Set([
  'char',
  'text',
  'html',
  'integer',
  'float',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'selection',
  'many2one',
  'many2many',
]);

/** Returns all import targets available to the user. */
export function targetsOf(ctx: Ctx, info: ModelInfo): readonly ImportTarget[] {
  const declared = ctx.modelNamed(info.name).fields;
  const fields = Object.values(info.fields)
    .filter(isImportable)
    // New records get the default of an omitted field.
    .map((field) => ({
      ...field,
      label: fieldLabel(info, field),
      required: field.required && declared[field.name]?.options.default === undefined,
    }));
  return [
    { id: 'id', label: t(ctx, 'External ID'), required: false },
    { id: '.id', label: t(ctx, 'Database ID'), required: false },
    ...fields.flatMap(({ name, label, required, relation }): ImportTarget[] =>
      relation
        ? [
            { id: name, label, required },
            { id: `${name}/id`, label: t(ctx, '{field} (external ID)', { field: label }), required: false },
            { id: `${name}/.id`, label: t(ctx, '{field} (database ID)', { field: label }), required: false },
          ]
        : [{ id: name, label, required }],
    ),
  ];
}

/** Returns the label of a field, with its name if the file or the targets contain the same label twice. */
export function fieldLabel(
  info: ModelInfo,
  { name, label }: FieldInfo,
  otherFields: readonly FieldInfo[] = [],
): string {
  const all = [...otherFields, ...Object.values(info.fields).filter(isImportable)];
  return all.some((candidate) => candidate.name !== name && candidate.label === label) ? `${label} (${name})` : label;
}

function isImportable({ kind, readonly }: FieldInfo): boolean {
  return !readonly && importable.has(kind);
}

/** Returns the target of a mapping, or null if it doesn't exist or the user has no access. */
export function targetOf(info: ModelInfo, id: string): Target | null {
  if (id === 'id' || id === '.id') return { field: null, via: id };
  const [name = '', via = 'name'] = id.split('/');
  const field = Object.hasOwn(info.fields, name) ? info.fields[name] : undefined;
  if (!field || !isImportable(field)) return null;
  if (via === 'name') return { field, via };
  return field.relation && (via === 'id' || via === '.id') ? { field, via } : null;
}

/** Whether a heading names a target. */
export function names(header: string, targets: readonly ImportTarget[]): boolean {
  return suggest([header], targets)[0] !== '';
}

/** Returns the most likely target of each heading, matched by field name or label; empty if none matches. */
export function suggest(headers: readonly string[], targets: readonly ImportTarget[]): readonly string[] {
  const usedIds = new Set<string>();
  return headers.map((header) => {
    const heading = normalized(header);
    if (heading === '') return '';
    const target =
      targets.find(({ id }) => id === header.trim().toLowerCase()) ??
      targets.find(({ id, label }) => normalized(label) === heading || normalized(`${label}${id}`) === heading) ??
      targets.find(({ id }) => normalized(id) === heading || normalized(id.replace(/_ids?$/, '')) === heading) ??
      (['externalid', 'identifiantexterne'].includes(heading) ? targets.find(({ id }) => id === 'id') : undefined);
    if (!target || usedIds.has(target.id)) return '';
    usedIds.add(target.id);
    return target.id;
  });
}

function normalized(text: string): string {
  return fold(text).replace(/[^a-z0-9]/g, '');
}
