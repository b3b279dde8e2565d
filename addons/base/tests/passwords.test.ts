import { checkPassword } from '../passwords.ts';

const known = [
  'ada@example.com',
  'Ada Lovelace',
  'www.tennis-club.example',
  'Val-Fleuri Sport',
  'Pergola',
  'root',
  'Zoé',
];
const fault = (password: string): string => {
  try {
    checkPassword(password, known);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ...['pergola8', 'PERGOLA2026', 'P3rg0la!', '12pergola34', 'p3r60l@!!', 'my pergola at home', 'xxpergolaxx'],
  ...['valfleuri sport', 'Val-Fleuri Sport 2026', 'V@lF1euriSport', 'fleuri2026', 'Tennis-Club1', 't3nn1sc1ub!'],
  ...[
    'ada@example.com',
    'AdaLovelace',
    'lovelace1815',
    '1815lovelace',
    'example.com',
    'rootroot',
    'root and more words',
  ],
])('A password with a name of the site, the company or the account is refused: %s', (password) => {
  expect(fault(password)).toContain('without your login');
});

test.each([
  ...['aaaaaaaaaaaa', 'AAAAaaaa', 'abababab', 'abcabcabc', 'abcabcab', 'word1word1', 'aaaabbbb', 'aaabbbccc'],
  ...[
    '12345678',
    '87654321',
    'abcdefgh',
    'hgfedcba',
    'qwertyuiop',
    'azertyuiop',
    'qwerty123',
    'abcd1234',
    '1111222233334444',
    'aaaaaaaab',
  ],
])('A password of repeated or consecutive characters is refused: %s', (password) => {
  expect(fault(password)).toContain('repeated or consecutive characters');
});

test.each([
  'correct horse battery',
  'an adaptable plan',
  'seven blue chairs',
  'we play tennis on sunday',
  'Rk7!pz0Qw',
  'été à la plage',
  'aaa to the moon',
  '密码很长的一句话',
])('Other passwords are accepted: %s', (password) => {
  expect(fault(password)).toBe('');
});
