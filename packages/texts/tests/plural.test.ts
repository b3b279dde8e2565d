import { parsePluralForms, pluralHeader } from '../plural.ts';

test.each([
  ['en', [0, 1, 2, 5], [1, 0, 1, 1]],
  ['fr_FR', [0, 1, 2, 5], [0, 0, 1, 1]],
  ['ja', [0, 1, 2], [0, 0, 0]],
  ['pl', [1, 2, 5, 12, 22, 25, 112], [0, 1, 2, 2, 1, 2, 2]],
  ['ru', [1, 11, 21, 2, 12, 24, 5], [0, 2, 0, 1, 2, 1, 2]],
  ['ar', [0, 1, 2, 3, 10, 11, 99, 100, 102], [0, 1, 2, 3, 3, 4, 4, 5, 5]],
])('the forms of %s for %j are %j', (lang, numbers, forms) => {
  const rule = parsePluralForms(pluralHeader(lang));
  expect(numbers.map((n) => rule.index(n))).toEqual(forms);
});

test('agrees with what the runtime knows of Polish', () => {
  const rule = parsePluralForms(pluralHeader('pl'));
  const names = ['one', 'few', 'many'];
  const intlRules = new Intl.PluralRules('pl');
  for (let n = 0; n < 300; n++) expect(`${n} ${names[rule.index(n)]}`).toBe(`${n} ${intlRules.select(n)}`);
});

test('an index never leaves the forms there are', () => {
  const rule = parsePluralForms('nplurals=2; plural=n;');
  expect([rule.index(0), rule.index(1), rule.index(7), rule.index(-3), rule.index(Number.NaN)]).toEqual([
    0, 1, 1, 1, 0,
  ]);
});

test.each([
  '',
  'nplurals=2',
  'nplurals=0; plural=0;',
  'nplurals=9; plural=n;',
  'nplurals=2; plural=process.exit();',
  'nplurals=2; plural=(n > 1;',
  'nplurals=2; plural=n ? 1;',
  'nplurals=2; plural=n n;',
])('"%s" is refused', (header) => {
  expect(() => parsePluralForms(header)).toThrow(SyntaxError);
});
