/** Normalizes a promo code: typed or copied, it may differ in case, spaces, invisible characters and Unicode composition. */
export function codeKey(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase()
    .toLowerCase();
}
