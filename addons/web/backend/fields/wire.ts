import type { FieldInfo } from '../types.ts';

/** A value as `create` and `write` take it. */
export function toWire(value: unknown, field: FieldInfo): unknown {
  if (field.kind === 'many2one') return Array.isArray(value) ? value[0] : value || false;
  if (value === '' || value === undefined || value === null) return false;
  return value;
}

/** A typed text that isn't a number, with the reason. Forms hold it as the value of its field and don't save until it is corrected. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly text: string;
  readonly fault: string;
}

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreadable';
}
