/**
 * Declarations of a `style` attribute by property, normalised for comparison: names and values in lower case, without comments, escapes,
 * line breaks and `!important`. Word processors write them in many ways.
 */
export function declarationsOf(style: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>();
  for (const declaration of style.replace(/\/\*[\s\S]*?(\*\/|$)/g, '').split(';')) {
    const [name, ...value] = unescaped(declaration).toLowerCase().split(':');
    if (!name || value.length === 0) continue;
    const text = value.join(':').replace(/!\s*important/, '');
    declarations.set(name.trim(), text.replace(/\s+/g, ' ').trim());
  }
  return declarations;
}

/** Whether an element with these declarations is hidden, together with its content. */
export function isHidden(declarations: ReadonlyMap<string, string>): boolean {
  return (
    declarations.get('display') === 'none' ||
    declarations.get('mso-hide') === 'all' ||
    /^(hidden|collapse)$/.test(declarations.get('visibility') ?? '')
  );
}

/** CSS can escape each character by its code: `d\69 splay`. */
function unescaped(css: string): string {
  return css.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_whole, hex?: string, character?: string) => {
    if (hex === undefined) return character ?? '';
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}
