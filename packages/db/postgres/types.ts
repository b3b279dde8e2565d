import pg from 'pg';

/** OIDs of the types that need another reading than the driver's. */
const int8 = 20;
const jsonb = 3802;
const date = 1082;
const numeric = 1700;

/** Whole numbers as numbers (refused when JavaScript could not keep them exactly), days and JSON as texts; the rest as the driver does. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return exact;
    if (oid === date || oid === jsonb) return (text: string) => text;
    // Sums of bigint columns come as numeric; no column is.
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
