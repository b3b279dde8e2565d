import { type Ctx, contextTools, InvalidInput } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import { findExternalId, insertExternalIds, parseExternalId } from './data/external-ids.ts';
import type { Id } from './fields.ts';

/** First part of the external ids created by imports: keeps files from taking an id that an app could ship later. */
const IMPORTED = 'imported';

/** Returns the model's record with an external id as users write it (`base.fr`, or `42-b` from an import), or null. */
export async function recordByExternalId(ctx: Ctx, model: string, text: string): Promise<Id | null> {
  const { connection } = ctx.get(databaseSession);
  for (const parsed of [parseExternalId(text), importedId(text)]) {
    const externalId = parsed && (await findExternalId(connection, parsed.addon, parsed.name));
    if (externalId?.model === model && externalId.recordId !== null) return externalId.recordId;
  }
  return null;
}

/**
 * Stores the id that an imported record has in its source, so that the next import of the file updates the same record.
 *
 * @throws InvalidInput if the id is malformed or taken, or begins with an app's name.
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
