import type { CompiledField } from '../compiled.ts';
import type { Report } from './collect.ts';
import type { ModelDraft } from './draft.ts';
import { nameFieldOf, nameSearchOf } from './fold-columns.ts';
import { type FieldsOfModel, isFault, resolvePath } from './paths.ts';

/**
 * Reports what would show or tell a secret field to everybody who reads the record: its name, how it is looked for and sorted, and fields that
 * mirror another one.
 */
export function checkSecrets(
  draft: ModelDraft,
  { fieldsOf, report }: { readonly fieldsOf: FieldsOfModel; readonly report: Report },
): void {
  const { addon } = draft.collected.owner;
  const along = (path: readonly string[]): readonly CompiledField[] => {
    const found = resolvePath(fieldsOf, draft.name, path);
    return isFault(found) ? [] : found;
  };
  const shown: readonly (readonly [how: string, fields: readonly (CompiledField | null)[]])[] = [
    ['names its records by', [nameFieldOf(draft)]],
    ['looks for its records in', nameSearchOf(draft)],
    ['searches', draft.search.flatMap(({ value }) => along([value]))],
    ['is sorted by', draft.order.flatMap(({ path }) => along(path))],
  ];
  for (const [how, fields] of shown) {
    const secret = fields.find((field) => field?.secret);
    if (secret) report(addon, `“${draft.name}” ${how} “${secret.name}”, which is secret.`, 'Take another field.');
  }
  for (const field of draft.fields.values()) {
    const secret = field.secret ? undefined : along(field.related ?? []).find((one) => one.secret);
    if (!secret) continue;
    const where = `“${field.model}.${field.name}” is related to “${secret.model}.${secret.name}”`;
    report(field.addon, `${where}, which is secret.`, 'Say “secret” of it too.');
  }
}
