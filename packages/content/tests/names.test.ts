import { hasLetter, plainLines, singleLine } from '../names.ts';

describe('A name', () => {
  it.each([
    ['Ada\nLovelace', 'Ada Lovelace'],
    ['A\u0000\u0007\u2028B', 'A B'],
    ['evil\u202egnp.exe\u202c', 'evilgnp.exe'],
    ['\u200e\u200f\u061c\u2066a\u2069', 'a'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['Nguyễn 李 Ж', 'Nguyễn 李 Ж'],
  ])('%j is kept as %j', (text, kept) => {
    expect(singleLine(text)).toBe(kept);
  });

  it.each([
    ['a', true],
    ['Ж', true],
    ['李', true],
    ['ก', true],
    ['', false],
    ['.', false],
    ['12', false],
    ['ـــ', false],
    ['ʼ', false],
    ['میر‌حسین', true],
    ['\u3164', false],
    ['\uffa0', false],
    ['\u115f\u1160', false],
    ['\u200d\u2060', false],
    ['🙂', false],
  ])('%j has a letter: %s', (text, has) => {
    expect(hasLetter(text)).toBe(has);
  });
});

it('Text of several lines keeps its lines and marks, and loses control characters and overrides', () => {
  expect(plainLines('a\tb\r\nc\u0007\u202ed\u202c')).toBe('a\tb\r\ncd');
  expect(plainLines('שלום\u200f!')).toBe('שלום\u200f!');
});
