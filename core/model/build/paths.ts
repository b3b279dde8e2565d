import { didYouMean } from '../../base/index.ts';
import type { CompiledField, OrderTerm } from '../compiled.ts';

/** The fields of a model by name, or undefined for a model that is not there. */
export type FieldsOfModel = (model: string) => ReadonlyMap<string, CompiledField> | undefined;

export interface PathFault {
  readonly message: string;
  readonly remedy: string;
}

/** The fields along a path: `partner_id.country_id.code` → three fields. What is wrong with it otherwise. */
export function resolvePath(
  fieldsOf: FieldsOfModel,
  model: string,
  path: readonly string[],
): CompiledField[] | PathFault {
  const fields: CompiledField[] = [];
  let here = model;
  for (const [position, name] of path.entries()) {
    const field = fieldsOf(here)?.get(name);
    if (!field) {
      const names = fieldsOf(here)?.keys() ?? [];
      return { message: `“${here}” has no field “${name}”.`, remedy: didYouMean(name, names) };
    }
    fields.push(field);
    if (position === path.length - 1) break;
    if (!field.relation) {
      return {
        message: `“${path.join('.')}” goes on after “${name}”, which is ${field.type} and leads nowhere.`,
        remedy: 'Only relations lead further.',
      };
    }
    here = field.relation.to;
  }
  return fields;
}

/** Whether a path leads nowhere; `message` and `remedy` then say why. */
export function isFault(result: object): result is PathFault {
  return 'remedy' in result;
}

const term = /^([a-z0-9_]+(?:\.[a-z0-9_]+)*)(?:\s+(asc|desc))?$/i;

/** `"date_order desc, partner_id.name"` as terms; null when it does not read so. */
export function parseOrder(order: string): OrderTerm[] | null {
  const terms: OrderTerm[] = [];
  for (const part of order.split(',')) {
    const match = term.exec(part.trim());
    if (!match?.[1]) return null;
    terms.push({ path: match[1].split('.'), descending: match[2]?.toLowerCase() === 'desc' });
  }
  return terms;
}

/** Why records cannot be sorted by what the path ends in; null when they can. */
export function unsortable(fields: readonly CompiledField[]): string | null {
  for (const [position, field] of fields.entries()) {
    const isLast = position === fields.length - 1;
    if (!isLast && field.relation?.kind !== 'many2one') return `“${field.name}” leads to several records`;
    if (isLast && (field.relation?.kind === 'one2many' || field.relation?.kind === 'many2many'))
      return `“${field.name}” holds several records`;
    if (isLast && (field.type === 'json' || field.type === 'binary' || field.type === 'image'))
      return `“${field.name}” is ${field.type}`;
    if (field.column === null && field.related === null && field.name !== 'display_name')
      return `“${field.name}” is worked out when it is read`;
  }
  return null;
}
