import { type Ctx, contextTools, InvalidInput } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import { findExternalId, insertExternalIds, parseExternalId } from './data/external-ids.ts';
import type { Id } from './fields.ts';

/**
 * The first part of all external ids that imports give, whatever they look like: no file can take an id that an app which is not there yet is
 * going to ship.
 */
const IMPORTED = 'imported';

/** The record of a model behind an external id as people write it (`base.fr`, or `42-b` of an import); null when there is none. */
export async function recordByExternalId(ctx: Ctx, model: string, text: string): Promise<Id | null> {
  const { connection } = ctx.get(databaseSession);
  for (const parsed of [parseExternalId(text), importedId(text)]) {
    const found = parsed && (await findExternalId(connection, parsed.addon, parsed.name));
    if (found?.model === model && found.recordId !== null) return found.recordId;
  }
  return null;
}

/**
 * Remembers a record that came from elsewhere by the id it had there, so that the same file brings it up to date next time.
 *
 * @throws InvalidInput for what is no external id, is taken, or begins with an app's name.
 */
export async function keepExternalId(ctx: Ctx, model: string, id: Id, text: string): Promise<void> {
  const { transaction } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  const parsed = importedId(text);
  if (!parsed || !transaction)
    throw new InvalidInput('“{text}” isn’t a valid external ID. Use letters, digits, “.”, “_” and “-”.', {
      code: 'core.bad_external_id',
      params: { text: text.slice(0, 80) },
    });
  if (generation.addons.some(({ name }) => name === parseExternalId(text)?.addon))
    throw new InvalidInput('“{text}”: external IDs that start with an app’s name are reserved for that app.', {
      code: 'core.foreign_external_id',
      params: { text },
    });
  if (await findExternalId(transaction, parsed.addon, parsed.name))
    throw new InvalidInput('The external ID “{text}” belongs to another record.', {
      code: 'core.external_id_taken',
      params: { text },
    });
  const external = { ...parsed, source: IMPORTED, model, recordId: id, noupdate: false, checksums: {} };
  await insertExternalIds(transaction, [external]);
}

function importedId(text: string): { addon: string; name: string } | null {
  return parseExternalId(`${IMPORTED}.${text}`);
}
