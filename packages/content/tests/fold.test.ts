import { fold, slugify } from '../fold.ts';

describe('fold', () => {
  test.each([
    ['Élégante', 'elegante'],
    ['Œuvre', 'oeuvre'],
    ['Æsir', 'aesir'],
    ['Straße', 'strasse'],
    ['Smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['Đặng', 'dang'],
    ['ﬁn ①', 'fin 1'],
    ['İstanbul', 'istanbul'],
    ['日本', '日本'],
    ['', ''],
  ])('makes %s into %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  test('gives the same for letters written in one piece or in two', () => {
    expect(fold('e\u0301te\u0301')).toBe(fold('été'));
  });

  test('changes nothing when done twice', () => {
    for (const text of ['Œuvre d’art', 'ẞ', 'Ångström', 'ĲSSEL']) expect(fold(fold(text))).toBe(fold(text));
  });
});

describe('slugify', () => {
  test.each([
    ['Conference on Business Apps', 'conference-on-business-apps'],
    ["  L'été à Saint-Étienne !", 'lete-a-saint-etienne'],
    ['C++ & C#', 'c-c'],
    ['100 % œufs', '100-oeufs'],
    ['日本語', ''],
    ['🎉', ''],
    ['---', ''],
  ])('makes %s into "%s"', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  test('cuts long texts between words', () => {
    const slug = slugify('word '.repeat(40));
    expect(slug.length).toBeLessThanOrEqual(80);
    expect(slug.split('-').every((word) => word === 'word')).toBe(true);
  });

  test('cuts a single long word where the room ends', () => {
    expect(slugify('x'.repeat(100))).toBe('x'.repeat(80));
    expect(slugify('abcdef', 3)).toBe('abc');
  });
});
