import type { FieldInfo } from '../types.ts';

/** Converts a value to the format of `create` and `write`. */
export function toWire(value: unknown, field: FieldInfo): unknown {
  if (field.kind === 'many2one') return Array.isArray(value) ? value[0] : value || false;
  if (value === '' || value === undefined || value === null) return false;
  return value;
}

/** A typed text that isn't a number, with the reason. Forms keep it as the field's value and can't be saved until it is corrected. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly text: string;
  readonly fault: string;
}

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreadable';
}
