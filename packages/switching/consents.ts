import { dirname } from 'node:path';
import { type Capability, codeDigest, readSheetInThread, sheetDifference } from '@pergola/capabilities';
import type { CodeReview, Discovery, ListedAddon, Log } from '@pergola/core';
import { type Database, hasRows, openDatabase, rowsOf } from '@pergola/db';

const TABLE = 'core_addon_consent';

/** Stored consent to the capabilities of an addon's code. */
export interface StoredConsent {
  readonly addon: string;
  readonly version: string;
  /** Digest of the code. */
  readonly digest: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Returns the code of these addons that needs consent before it is loaded. Code whose new capabilities are all of low risk needs none; its
 * sheet is stored as well.
 */
export async function reviewsOf(
  database: Database,
  addons: readonly ListedAddon[],
  discovery: Discovery,
): Promise<CodeReview[]> {
  const roots = [...new Set(discovery.addons.map(({ folder }) => dirname(folder)))];
  const reviews: CodeReview[] = [];
  for (const { name, folder, definition } of addons) {
    const digest = codeDigest(folder);
    const consent = await readConsent(database, name);
    // architecture-exempt(secret-compared): a digest of code, no secret
    if (consent?.digest === digest) continue;
    const sheet = await readSheetInThread(folder, roots);
    const { added, removed } = sheetDifference({ ...sheet, capabilities: consent?.capabilities ?? [] }, sheet);
    const review: CodeReview = {
      addon: name,
      title: definition.title,
      version: definition.version,
      digest,
      consentedVersion: consent?.version ?? null,
      capabilities: sheet.capabilities,
      added,
      removed,
    };
    if (consent && added.every(({ risk }) => risk === 'low')) await addConsents(database, [review], '');
    else reviews.push(review);
  }
  return reviews;
}

/** Stores consent to these reviews. */
export async function addConsents(database: Database, reviews: readonly CodeReview[], by: string): Promise<void> {
  const { knex, codec } = database;
  const rows = reviews.map(({ addon, version, digest, capabilities, added, removed }) => ({
    addon,
    version,
    digest,
    capabilities: codec.encode('json', capabilities),
    added: codec.encode('json', added),
    removed: codec.encode('json', removed),
    consented_by: by,
    consented_at: codec.encode('datetime', new Date()),
  }));
  await database.write(
    async (transaction) => {
      await rowsOf(transaction, knex(TABLE).insert(rows));
      transaction.touch(TABLE);
    },
    { label: 'store consent' },
  );
}

/** Returns the latest consent to a version of an addon on an existing site, or null. Loads no addon. */
export async function storedConsent(
  { databaseUrl, log }: { readonly databaseUrl: string; readonly log: Log },
  addon: string,
  version: string,
): Promise<StoredConsent | null> {
  if (!(await hasRows(databaseUrl, TABLE))) return null;
  const database = await openDatabase({ url: databaseUrl, log });
  try {
    return await readConsent(database, addon, version);
  } finally {
    await database.close();
  }
}

/** Returns the latest consent to an addon's code, or to one version of it, or null. */
async function readConsent(database: Database, addon: string, version?: string): Promise<StoredConsent | null> {
  const { knex, codec, reader } = database;
  const query = knex(TABLE).select('version', 'digest', 'capabilities').where({ addon }).orderBy('id', 'desc').limit(1);
  const [row] = await rowsOf(reader, version === undefined ? query : query.where({ version }));
  if (!row) return null;
  const capabilities = codec.decode('json', row.capabilities) as readonly Capability[];
  return { addon, version: String(row.version), digest: String(row.digest), capabilities };
}
