import { setFlagsFromString } from 'node:v8';
import { fromBase64 } from '../index.ts';

test('files come as base64, with spaces and line ends, with or without padding', () => {
  for (const text of ['QUI=', 'QUI', ' QU\r\nI = \n']) expect(fromBase64(text)).toEqual(Buffer.from('AB'));
  expect(fromBase64('')).toEqual(Buffer.alloc(0));
});

test.each(['Q', 'QQ=', 'QQ==QQ', 'Q-_Q', '<script>', 'éé', '\0'])('%j is no file', (text) => {
  expect(fromBase64(text)).toBeNull();
});

test('the largest photo is read in a process whose regular expressions are no longer optimised', () => {
  setFlagsFromString('--no-regexp-optimization');
  try {
    const photo = Buffer.alloc(13 * 1024 * 1024, 7);
    expect(fromBase64(photo.toString('base64'))?.equals(photo)).toBe(true);
  } finally {
    setFlagsFromString('--regexp-optimization');
  }
});
