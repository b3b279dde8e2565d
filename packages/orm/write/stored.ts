import { isDeepStrictEqual } from 'node:util';
import { fold } from '@pergola/content';
import type { Codec, ColumnKind } from '@pergola/db';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { type SealingCodec, sealedValue, unsealedValue } from '../sealed.ts';
import { searchText } from '../search/words.ts';

/** The texts of a translated field by language. */
export type Texts = Readonly<Record<string, string>>;

/** Returns the encoded values of a field's columns for a normalized value: its own column, and the folded text if there is one. */
export function columnValues(
  codec: SealingCodec,
  field: CompiledField,
  value: unknown,
): [column: string, encoded: unknown][] {
  if (field.column === null || field.kind === null) return [];
  const columns: [string, unknown][] = [[field.column, encodeValue(codec, field, value)]];
  if (field.foldColumn !== null) columns.push([field.foldColumn, encodeFolded(codec, field, value)]);
  return columns;
}

/** Encodes a normalized value for the driver. */
function encodeValue(codec: SealingCodec, field: CompiledField, value: unknown): unknown {
  if (field.kind === null || value === null || value === undefined) return null;
  return codec.encode(field.kind, sealedValue(codec, field, field.toColumn(value)));
}

function encodeFolded(codec: Codec, field: CompiledField, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (!field.translated) return fold(String(value));
  return codec.encode('json', mapTexts(textsOf(value), fold));
}

/** Decodes the value of a field's column; returns null for a secret that was encrypted with another `SESSION_SECRET`. */
export function decodeValue(codec: SealingCodec, field: CompiledField, raw: unknown): unknown {
  if (field.kind === null || raw === undefined) return null;
  const value = codec.decode(field.kind, raw);
  if (field.sealedFor !== null) return unsealedValue(codec, field, value) ?? null;
  return value === null || !field.fromColumn ? value : field.fromColumn(value);
}

/** Whether two normalized values are equal. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || isDeepStrictEqual(a ?? null, b ?? null);
}

/** Returns the kinds of a model's columns, including folded and full-text columns. */
export function columnKinds(model: CompiledModel): Map<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>();
  for (const field of model.fields.values()) {
    if (field.column === null || field.kind === null) continue;
    kinds.set(field.column, field.kind);
    if (field.foldColumn !== null) kinds.set(field.foldColumn, field.translated ? 'json' : 'text');
  }
  for (const column of model.search?.columns.values() ?? []) kinds.set(column, 'words');
  return kinds;
}

/**
 * Returns the encoded values of a record's full-text columns. `storedValue` returns the stored value of a searched field; `fallback` is the
 * default language, used for languages without a translation.
 */
export function searchValues(
  codec: Codec,
  model: CompiledModel,
  fallback: string,
  storedValue: (field: CompiledField) => unknown,
): [column: string, encoded: unknown][] {
  const { search } = model;
  if (!search) return [];
  return [...search.columns].map(([lang, column]) => {
    const texts = search.fields.map((field) => {
      const value = storedValue(field);
      if (value === null || value === undefined) return null;
      return field.translated ? (textsOf(value)[lang] ?? textsOf(value)[fallback]) : String(value);
    });
    return [column, codec.encode('words', searchText(texts))];
  });
}

/** Returns the texts of a translated value, without the metadata of markup; empty for anything else. */
export function textsOf(value: unknown): Texts {
  if (typeof value !== 'object' || value === null) return {};
  if (!('_terms' in value)) return value as Texts;
  const { _terms, ...texts } = value;
  return texts;
}

function mapTexts(texts: Texts, map: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([lang, text]) => [lang, map(text)]));
}
