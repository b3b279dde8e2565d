import { createHash } from 'node:crypto';

/** Maximum length of names that neither database truncates. */
const maxLength = 63;

/** Whether a text is a valid model name, such as `sale.order.line`: lowercase words, digits and single `_`. */
export function isModelName(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)*$/.test(name) && name.length <= 50;
}

/** Whether a text is a valid field name: a word as in model names, short enough for the names of derived columns and indexes. */
export function isFieldName(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 50 && !reserved.has(name);
}

/** `constructor` exists on every object; the others have a special meaning in SQL. */
const reserved: ReadonlySet<string> = new Set(['constructor', 'oid', 'rowid', 'ctid', 'xmin', 'xmax', 'tableoid']);

/** Default table of a model. */
export function tableName(model: string): string {
  return model.replaceAll('.', '_');
}

/**
 * Joins parts to a name that is unique if the parts are (they contain no `__`): `sale_order__partner_id__idx`. Names that are too long are
 * cut and end with a hash of the whole name.
 */
export function joined(...parts: readonly string[]): string {
  const name = parts.join('__');
  if (name.length <= maxLength) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${name.slice(0, maxLength - hash.length - 2).replace(/_+$/, '')}__${hash}`;
}
