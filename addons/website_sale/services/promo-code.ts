/** What of a promo code counts: typed or copied, it may differ in case, spaces, invisible characters and how its letters are composed. */
export function codeKey(code: string): string {
  return code
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase()
    .toLowerCase();
}
