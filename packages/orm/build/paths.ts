import { didYouMean } from '@pergola/core';
import type { CompiledField, OrderTerm } from '../compiled.ts';

/** Returns the fields of a model by name, or undefined if the model doesn't exist. */
export type FieldsOfModel = (model: string) => ReadonlyMap<string, CompiledField> | undefined;

export interface PathFault {
  readonly message: string;
  readonly remedy: string;
}

/** Returns the fields along a path (`partner_id.country_id.code` → three fields), or the fault in it. */
export function resolvePath(
  fieldsOf: FieldsOfModel,
  model: string,
  path: readonly string[],
): CompiledField[] | PathFault {
  const fields: CompiledField[] = [];
  let currentModel = model;
  for (const [position, name] of path.entries()) {
    const field = fieldsOf(currentModel)?.get(name);
    if (!field) {
      const names = fieldsOf(currentModel)?.keys() ?? [];
      const via = path[position - 1];
      const owner = via === undefined ? `“${currentModel}” has` : `“${via}” leads to “${currentModel}”, which has`;
      return { message: `${owner} no field “${name}”.`, remedy: didYouMean(name, names) };
    }
    fields.push(field);
    if (position === path.length - 1) break;
    if (!field.relation) {
      return {
        message: `“${path.join('.')}” goes on after “${name}”, which is ${field.type} and leads nowhere.`,
        remedy: 'Only relations lead further.',
      };
    }
    currentModel = field.relation.to;
  }
  return fields;
}

/** Whether a resolved path is a fault; `message` and `remedy` then explain it. */
export function isFault(result: object): result is PathFault {
  return 'remedy' in result;
}

/** Returns a fault if a field is compared with a value that its selection doesn't contain. */
export function choiceFault(field: CompiledField | undefined, values: readonly unknown[]): PathFault | null {
  const choices = field?.choices;
  const unknown = values.find((value) => typeof value === 'string' && choices && !choices.has(value));
  if (unknown === undefined) return null;
  return {
    message: `“${field?.name}” is never “${String(unknown)}”.`,
    remedy: didYouMean(String(unknown), choices?.keys() ?? []),
  };
}

/** Faults of a literal domain: missing fields, and values that selections never have. */
export function domainFaults(fieldsOf: FieldsOfModel, model: string, terms: readonly unknown[]): PathFault[] {
  return terms.flatMap((term) => {
    const [path, operator, value]: unknown[] = Array.isArray(term) ? term : [];
    if (typeof path !== 'string') return [];
    const resolved = resolvePath(fieldsOf, model, path.split('.'));
    if (isFault(resolved)) return [resolved];
    const isEquality = ['=', '!=', 'in', 'not in'].includes(String(operator));
    return (isEquality && choiceFault(resolved.at(-1), [value].flat())) || [];
  });
}

const term = /^([a-z0-9_]+(?:\.[a-z0-9_]+)*)(?:\s+(asc|desc))?$/i;

/** Parses `"date_order desc, partner_id.name"` into terms; returns null if the syntax is wrong. */
export function parseOrder(order: string): OrderTerm[] | null {
  const terms: OrderTerm[] = [];
  for (const part of order.split(',')) {
    const match = term.exec(part.trim());
    if (!match?.[1]) return null;
    terms.push({ path: match[1].split('.'), descending: match[2]?.toLowerCase() === 'desc' });
  }
  return terms;
}

/** Returns the reason why records can't be sorted by the path's last field, or null if they can. */
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
