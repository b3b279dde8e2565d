import type { FieldInfo } from '../types.ts';

/** A value as `create` and `write` take it. */
export function toWire(value: unknown, field: FieldInfo): unknown {
  if (field.kind === 'many2one') return Array.isArray(value) ? value[0] : value || false;
  if (value === '' || value === undefined || value === null) return false;
  return value;
}
