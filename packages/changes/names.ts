import type { BoundModel, Id } from '@pergola/orm';
import { type Image, storedValue } from './image.ts';

/** Returns the name of a record visible to the caller, of a deleted one by its values, or its id. */
export async function recordName(bound: BoundModel, id: Id, image: Image = {}): Promise<string> {
  const names = await recordNames(bound, [id]);
  return names.get(id) ?? nameInImage(bound, image) ?? `${bound.compiled.label} ${id}`;
}

/** Returns the names of the records that exist and are visible to the caller. */
export async function recordNames(bound: BoundModel, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>> {
  const visible = await bound.self.allowed(ids, 'read');
  return visible.length === 0 ? new Map() : bound.self.displayNames(visible);
}

/** Returns the name in recorded values, or null. */
export function nameInImage({ compiled, registry, ctx }: BoundModel, image: Image): string | null {
  const field = compiled.nameField;
  const value = field?.column ? storedValue(field, image[field.column]) : null;
  if (typeof value === 'string') return value;
  if (!field?.translated || value === null) return null;
  const texts = value as Readonly<Record<string, string>>;
  return texts[ctx.lang] ?? texts[registry.defaultLanguage] ?? null;
}
