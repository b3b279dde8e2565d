import pg from 'pg';

/** OIDs of types that the driver should parse differently. */
const int8 = 20;
const jsonb = 3802;
const date = 1082;
const numeric = 1700;

/**
 * Parses integers as numbers (rejecting those JavaScript can't represent exactly), dates and JSON as text; leaves the rest to the driver.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return exact;
    if (oid === date || oid === jsonb) return (text: string) => text;
    // Sums of bigint columns are numeric; no column is.
    if (oid === numeric) return (text: string) => (/^-?\d+$/.test(text) ? exact(text) : Number(text));
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
};

function exact(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The database answered ${text}, which is too large to be kept exactly.`);
  return number;
}
