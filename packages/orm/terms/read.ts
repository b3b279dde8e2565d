import { boundOf } from '../bind.ts';
import type { Id } from '../fields.ts';
import type { AnyModel } from '../types.ts';
import { selectRows } from '../write/sql.ts';
import { decodeValue } from '../write/stored.ts';
import { type Markup, markupOf } from './kept.ts';
import { type PlainTexts, plainTextsOf } from './plain.ts';

/**
 * Returns the translated markup of a record in all languages, or null if it is empty or the field isn't translated markup. The caller has
 * to check access to the record.
 */
export async function readMarkup(model: AnyModel, id: Id, name: string): Promise<Markup | null> {
  const { compiled, codec, connection, registry } = boundOf(model);
  const field = compiled.fields.get(name);
  if (field?.type !== 'html' || !field.translated || field.column === null) return null;
  const [row] = await selectRows(connection, compiled.table, ['id', field.column], { column: 'id', ids: [id] });
  return row ? markupOf(decodeValue(codec, field, row[field.column]), registry.defaultLanguage) : null;
}

/**
 * Returns the texts of a translated plain-text field in all languages, by record; omits records without a text. The caller has to check
 * access to the records.
 */
export async function readTexts(model: AnyModel, ids: readonly Id[], name: string): Promise<Map<Id, PlainTexts>> {
  const { compiled, codec, connection, registry } = boundOf(model);
  const field = compiled.fields.get(name);
  if (!field?.translated || field.type === 'html' || field.column === null) return new Map();
  const { column } = field;
  const rows = await selectRows(connection, compiled.table, ['id', column], { column: 'id', ids });
  return new Map(
    rows.flatMap((row): [Id, PlainTexts][] => {
      const texts = plainTextsOf(decodeValue(codec, field, row[column]), registry.defaultLanguage);
      return texts ? [[Number(row.id), texts]] : [];
    }),
  );
}
