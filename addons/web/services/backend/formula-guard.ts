/** Text that spreadsheets take for a formula, in full-width characters too (Japanese Excel), also behind apostrophes that were there before. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n\0]/;

/** Errors as spreadsheets in English, French, German, Dutch, Spanish, Italian and Portuguese save them. */
export const errorText =
  /^(?:#(?:N\/[ABD]|NV|(?:NULL?|REF|NUM|VALUE|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN|DIV\/0|DEEL\/0|VALEUR|NOMBRE|BEZUG|WERT|ZAHL|WAARDE|VERW|GETAL|LEEG|VALORE|RIF|VALOR|NÚM|¡VALOR|¡REF|¡NUM|¡NULO|¡DIV\/0)!|(?:NAME|NOM|NAAM|NOME|¿NOMBRE)\?|GETTING_DATA|#{2,})|Err:5\d\d)$/;

function isGuarded(text: string): boolean {
  return formula.test(text) || errorText.test(text.trim().replace(/^'+/, ''));
}

/** A text for a CSV file: one that looks like a formula or an error gets an apostrophe, unless it is a number with its sign. */
export function guarded(text: string): string {
  return isGuarded(text) && !/^[+-]?\d[\d\s.,]*$/.test(text) ? `'${text}` : text;
}

/** A text from a CSV file without the apostrophe of {@link guarded}. */
export function unguarded(text: string): string {
  return text.startsWith("'") && isGuarded(text) ? text.slice(1) : text;
}
