import { type GenerationRecord, value } from '@pergola/core';

/** Stored computed fields (`model.field`) of a generation that are calculated on reading until a job has filled their columns. */
export const pendingFields = value<readonly string[]>('pending fields');

/** Pending fields in the record of a generation. */
export function pendingFieldsOf({ data }: GenerationRecord): readonly string[] {
  return data.orm as readonly string[];
}

/** Returns the record with these fields pending instead. */
export function withPendingFields(record: GenerationRecord, fields: readonly string[]): GenerationRecord {
  return { ...record, data: { ...record.data, orm: fields } };
}
