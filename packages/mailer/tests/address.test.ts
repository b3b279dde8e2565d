import { emailKey, emailSpellings, isEmailAddress, requireEmailAddress } from '../address.ts';

describe('addresses', () => {
  it.each([
    ['Hana@Example.COM', 'hana@example.com'],
    ['  hana@example.com ', 'hana@example.com'],
    ['hana@münchen.example', 'hana@xn--mnchen-3ya.example'],
    ['hana@MÜNCHEN.example', 'hana@xn--mnchen-3ya.example'],
    ['hana@xn--mnchen-3ya.example', 'hana@xn--mnchen-3ya.example'],
    ['Hana+list@bücher.example', 'hana+list@xn--bcher-kva.example'],
    ['admin', 'admin'],
  ])('are compared in one form: %s', (text, key) => {
    expect(emailKey(text)).toBe(key);
    expect(emailKey(key)).toBe(key);
  });

  it('are looked for in both encodings of their domain', () => {
    expect(emailSpellings('Hana@MÜNCHEN.example')).toEqual(['hana@xn--mnchen-3ya.example', 'hana@münchen.example']);
    expect(emailSpellings('hana@xn--mnchen-3ya.example')).toEqual([
      'hana@xn--mnchen-3ya.example',
      'hana@münchen.example',
    ]);
    expect(emailSpellings('hana@example.com')).toEqual(['hana@example.com']);
  });

  it.each([
    ['info@münchen.example', true],
    ['info@例え.jp', true],
    ['info@xn--mnchen-3ya.example', true],
    ['jörg@example.com', false],
    ['info@mü/x', false],
    ['info@mü:25', false],
    ['info@mü..example', false],
    ['info@mün chen.example', false],
    [' info@example.com', false],
    ['info@münchen.example\r\nBcc: x@example.com', false],
  ])('%s: %s', (text, valid) => {
    expect(isEmailAddress(text)).toBe(valid);
  });
});

test.each([
  ['nothing', 'Enter an address with an @.'],
  ['@example.org', 'Enter an address with an @.'],
  ['ann@', 'Enter an address with an @.'],
  ['jürgen@exämple.org', 'Use only unaccented Latin letters before the @.'],
  ['анна@example.org', 'Use only unaccented Latin letters before the @.'],
  ['ann@b.example, bob@b.example', 'Enter a valid email address.'],
  ['ann lee@example.org', 'Enter a valid email address.'],
])('of “%s” it says what is wrong', (address, message) => {
  expect(() => requireEmailAddress(address, { code: 'test.address' })).toThrow(message);
});
