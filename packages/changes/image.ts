import type { Codec, ColumnKind, Row } from '@pergola/db';
import type { CompiledField, CompiledModel, StoredValues } from '@pergola/orm';

/** Values of a record by column, as JSON that either database can read back exactly; without empty values. */
export type Image = Readonly<Record<string, unknown>>;

/** Returns a value as the driver reads or takes it in the form of an image. */
export function imageValue(codec: Codec, kind: ColumnKind | null, raw: unknown): unknown {
  if (raw === null || raw === undefined || kind === null) return null;
  switch (kind) {
    case 'datetime':
      return new Date(raw as Date | number | string).toISOString();
    case 'json':
    case 'boolean':
      return codec.decode(kind, raw);
    case 'id':
    case 'integer':
    case 'bigint':
    case 'float':
      return Number(raw);
    default:
      return raw;
  }
}

/** Returns a value of an image that was stored here or by either database, in the form of {@link imageValue}. */
export function normalValue(kind: ColumnKind | null, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'boolean') return value === true || value === 1;
  return kind === 'datetime' ? new Date(value as number | string).toISOString() : value;
}

/** Returns the image of a row's columns. */
export function imageOf(
  codec: Codec,
  fields: ReadonlyMap<string, CompiledField>,
  rawValue: (column: string) => unknown,
): Record<string, unknown> {
  const image: Record<string, unknown> = {};
  for (const [column, field] of fields) {
    const value = imageValue(codec, field.kind, rawValue(column));
    if (value !== null) image[column] = value;
  }
  return image;
}

/** Returns the image of a row as read. */
export function imageOfRow(
  codec: Codec,
  fields: ReadonlyMap<string, CompiledField>,
  row: Row,
): Record<string, unknown> {
  return imageOf(codec, fields, (column) => row[column]);
}

/** Returns an image's value as models store it. */
export function storedValue(field: CompiledField, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const normal = normalValue(field.kind, value);
  const decoded = field.kind === 'datetime' ? new Date(String(normal)) : normal;
  return field.fromColumn ? field.fromColumn(decoded) : decoded;
}

/** Returns the fields of a model with a column, by column. */
export function fieldsByColumn(model: CompiledModel): ReadonlyMap<string, CompiledField> {
  return new Map([...model.fields.values()].flatMap((field) => (field.column === null ? [] : [[field.column, field]])));
}

/** Returns the values of an image, without columns that no longer exist. */
export function storedValues(model: CompiledModel, image: Image): StoredValues {
  const fields = fieldsByColumn(model);
  return new Map(
    Object.entries(image).flatMap(([column, value]) => {
      const field = fields.get(column);
      return field && field.name !== 'id' ? [[field, storedValue(field, value)] as const] : [];
    }),
  );
}
