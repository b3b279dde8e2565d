/** Text that spreadsheets interpret as a formula, including full-width characters (Japanese Excel) and text with leading apostrophes. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n\0]/;

/** Errors as saved by spreadsheets in English, French, German, Dutch, Spanish, Italian and Portuguese. */
export const errorText =
  /^(?:#(?:N\/[ABD]|NV|(?:NULL?|REF|NUM|VALUE|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN|DIV\/0|DEEL\/0|VALEUR|NOMBRE|BEZUG|WERT|ZAHL|WAARDE|VERW|GETAL|LEEG|VALORE|RIF|VALOR|NÚM|¡VALOR|¡REF|¡NUM|¡NULO|¡DIV\/0)!|(?:NAME|NOM|NAAM|NOME|¿NOMBRE)\?|GETTING_DATA|#{2,})|Err:5\d\d)$/;

function isGuarded(text: string): boolean {
  return formula.test(text) || errorText.test(text.trim().replace(/^'+/, ''));
}

/** Escapes a text for a CSV file: adds an apostrophe if it looks like a formula or an error, unless it is a signed number. */
export function guarded(text: string): string {
  return isGuarded(text) && !/^[+-]?\d[\d\s.,]*$/.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe added by {@link guarded} from a text of a CSV file. */
export function unguarded(text: string): string {
  return text.startsWith("'") && isGuarded(text) ? text.slice(1) : text;
}
