import { createHash } from 'node:crypto';

/** What both databases take as a name without cutting it. */
const longest = 63;

/** A model's name: `sale.order.line`. Words of small letters, digits and single `_`. */
export function isModelName(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)*$/.test(name) && name.length <= 50;
}

/** A field's name: a word as in model names, short enough to leave room for the columns and indexes made from it. */
export function isFieldName(name: string): boolean {
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && name.length <= 50 && !reserved.has(name);
}

/** `constructor` would be found on every object; the others would read as something else in SQL made by hand. */
const reserved: ReadonlySet<string> = new Set(['constructor', 'oid', 'rowid', 'ctid', 'xmin', 'xmax', 'tableoid']);

/** The table of a model that names none. */
export function tableName(model: string): string {
  return model.replaceAll('.', '_');
}

/**
 * A name made of parts, unique as long as the parts are (they hold no `__`): `sale_order__partner_id__idx`. What would be too long keeps its
 * beginning and a hash of the whole.
 */
export function joined(...parts: readonly string[]): string {
  const name = parts.join('__');
  if (name.length <= longest) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${name.slice(0, longest - hash.length - 2).replace(/_+$/, '')}__${hash}`;
}
