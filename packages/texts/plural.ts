/** Selects a language's plural form for a number, with gettext's numbering. */
export interface PluralRule {
  /** Number of forms in the language. */
  readonly count: number;
  /** Index of the form for `n` items, from 0. */
  index(n: number): number;
}

/** Singular or plural: the rule of English, and the default for catalogues without one. */
export const sourcePlural: PluralRule = Object.freeze({ count: 2, index: (n: number) => (n === 1 ? 0 : 1) });

type Value = (n: number) => number;

/** From loosest to tightest binding; each level is left-associative. */
const levels: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { '||': (a, b) => (a || b ? 1 : 0) },
  { '&&': (a, b) => (a && b ? 1 : 0) },
  { '==': (a, b) => (a === b ? 1 : 0), '!=': (a, b) => (a !== b ? 1 : 0) },
  {
    '<': (a, b) => (a < b ? 1 : 0),
    '>': (a, b) => (a > b ? 1 : 0),
    '<=': (a, b) => (a <= b ? 1 : 0),
    '>=': (a, b) => (a >= b ? 1 : 0),
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(a / b), '%': (a, b) => a % b },
];

/**
 * Parses the `Plural-Forms` header of a catalogue: `nplurals=2; plural=(n > 1);`. The C expression is parsed, never evaluated as code.
 * Throws a SyntaxError for anything else.
 */
export function parsePluralForms(header: string): PluralRule {
  const parts = /nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+)/.exec(header);
  const count = Number(parts?.[1]);
  if (!parts?.[2] || count < 1 || count > 6) throw new SyntaxError(`"${header}" is no Plural-Forms header`);
  const value = parseExpression(parts[2]);
  return { count, index: (n) => Math.min(count - 1, Math.max(0, Math.trunc(value(Math.abs(Math.trunc(n)))) || 0)) };
}

function parseExpression(source: string): Value {
  const tokens = source.match(/\d+|n|\|\||&&|[=!<>]=|[<>!?:()+\-*/%]|\S/g) ?? [];
  let position = 0;
  const fail = (): never => {
    throw new SyntaxError(
      `The plural expression "${source.trim()}" is not understood at "${tokens[position] ?? 'its end'}"`,
    );
  };
  const take = (sign: string): boolean => tokens[position] === sign && position++ >= 0;

  const ternary = (): Value => {
    const condition = binary(0);
    if (!take('?')) return condition;
    const yes = ternary();
    if (!take(':')) fail();
    const no = ternary();
    return (n) => (condition(n) ? yes(n) : no(n));
  };
  const binary = (level: number): Value => {
    const operators = levels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators[tokens[position] ?? ''];
      if (!operator) return left;
      position++;
      const [leftOperand, right] = [left, binary(level + 1)];
      left = (n) => operator(leftOperand(n), right(n));
    }
  };
  const unary = (): Value => {
    if (take('!')) {
      const value = unary();
      return (n) => (value(n) ? 0 : 1);
    }
    if (take('n')) return (n) => n;
    if (take('(')) {
      const value = ternary();
      if (!take(')')) fail();
      return value;
    }
    const number = /^\d+$/.test(tokens[position] ?? '') ? Number(tokens[position]) : fail();
    position++;
    return () => number;
  };

  const value = ternary();
  return position === tokens.length ? value : fail();
}

const germanic = 'nplurals=2; plural=(n != 1);';
const slavic = 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);';
const headers: Readonly<Record<string, string>> = {
  fr: 'nplurals=2; plural=(n > 1);',
  pt_BR: 'nplurals=2; plural=(n > 1);',
  tr: 'nplurals=2; plural=(n > 1);',
  ja: 'nplurals=1; plural=0;',
  ko: 'nplurals=1; plural=0;',
  vi: 'nplurals=1; plural=0;',
  zh: 'nplurals=1; plural=0;',
  cs: 'nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);',
  sk: 'nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);',
  pl: 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
  ru: slavic,
  uk: slavic,
  hr: slavic,
  ro: 'nplurals=3; plural=(n==1 ? 0 : n==0 || n%100>0 && n%100<20 ? 1 : 2);',
  ar: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
};

/** `Plural-Forms` header for a new catalogue of a language. */
export function pluralHeader(lang: string): string {
  return headers[lang] ?? headers[lang.split(/[_@]/)[0] ?? ''] ?? germanic;
}
