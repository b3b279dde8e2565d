import type { CompiledField } from 'pergola/orm';

const INTEGER = /^\s*[+-]?\d{1,15}\s*$/;
/** At most 15 digits, which a number represents exactly. */
const NUMBER = /^\s*[+-]?(?=[\d.]{1,16}\s*$)\d+(\.\d+)?\s*$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Converts a text to the field's type. Programs such as n8n send every value as text, and Odoo casts it.
 *
 * @returns the value unchanged unless it is the text of an id, a number or a boolean, and the field accepts it
 */
export function fromText(field: CompiledField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (field.name === 'id' || field.relation) return INTEGER.test(value) ? Number(value) : value;
  switch (field.type) {
    case 'integer':
    case 'float':
    case 'money':
      return NUMBER.test(value) ? Number(value) : value;
    case 'boolean':
      return booleans.get(value.trim().toLowerCase()) ?? value;
    default:
      return value;
  }
}
