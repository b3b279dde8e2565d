import { dirname } from 'node:path';
import { type Capability, codeDigest, readSheetInThread, sheetDifference } from '@pergola/capabilities';
import type { CodeReview, Discovery, ListedAddon, Log } from '@pergola/core';
import { type Database, hasRows, openDatabase, rowsOf } from '@pergola/db';

const TABLE = 'core_addon_consent';

/** What somebody agreed that the code of an addon can do. */
export interface Consent {
  readonly addon: string;
  readonly version: string;
  /** Digest of the code. */
  readonly fingerprint: string;
  readonly capabilities: readonly Capability[];
}

/**
 * Returns what has to be agreed to before the code of these addons is loaded. Code that can do no more than was agreed to, apart from the
 * usual, needs no agreement; its sheet is stored as well.
 */
export async function reviewsOf(
  database: Database,
  addons: readonly ListedAddon[],
  discovery: Discovery,
): Promise<CodeReview[]> {
  const roots = [...new Set(discovery.addons.map(({ folder }) => dirname(folder)))];
  const reviews: CodeReview[] = [];
  for (const { name, folder, definition } of addons) {
    const fingerprint = codeDigest(folder);
    const consent = await readConsent(database, name);
    if (consent?.fingerprint === fingerprint) continue;
    const sheet = await readSheetInThread(folder, roots);
    const { added, removed } = sheetDifference({ ...sheet, capabilities: consent?.capabilities ?? [] }, sheet);
    const review: CodeReview = {
      addon: name,
      title: definition.title,
      version: definition.version,
      digest: fingerprint,
      agreedVersion: consent?.version ?? null,
      powers: sheet.capabilities,
      added,
      removed,
    };
    if (consent && added.every(({ risk }) => risk === 'low')) await addConsents(database, [review], '');
    else reviews.push(review);
  }
  return reviews;
}

/** Stores that somebody agreed to these reviews. */
export async function addConsents(database: Database, reviews: readonly CodeReview[], by: string): Promise<void> {
  const { knex, codec } = database;
  const rows = reviews.map(({ addon, version, digest, powers, added, removed }) => ({
    addon,
    version,
    digest,
    powers: codec.encode('json', powers),
    added: codec.encode('json', added),
    removed: codec.encode('json', removed),
    agreed_by: by,
    agreed_at: codec.encode('datetime', new Date()),
  }));
  await database.write(
    async (transaction) => {
      await rowsOf(transaction, knex(TABLE).insert(rows));
      transaction.touch(TABLE);
    },
    { label: 'agreement to code' },
  );
}

/** Returns the latest agreement to a version of an addon on an existing site, without loading any addon; null if there is none. */
export async function storedConsent(
  { databaseUrl, log }: { readonly databaseUrl: string; readonly log: Log },
  addon: string,
  version: string,
): Promise<Consent | null> {
  if (!(await hasRows(databaseUrl, TABLE))) return null;
  const database = await openDatabase({ url: databaseUrl, log });
  try {
    return await readConsent(database, addon, version);
  } finally {
    await database.close();
  }
}

/** Returns the latest agreement to an addon's code, of any version or of one; null if there is none. */
async function readConsent(database: Database, addon: string, version?: string): Promise<Consent | null> {
  const { knex, codec, reader } = database;
  const query = knex(TABLE).select('version', 'digest', 'powers').where({ addon }).orderBy('id', 'desc').limit(1);
  const [row] = await rowsOf(reader, version === undefined ? query : query.where({ version }));
  if (!row) return null;
  const capabilities = codec.decode('json', row.powers) as readonly Capability[];
  return { addon, version: String(row.version), fingerprint: String(row.digest), capabilities };
}
