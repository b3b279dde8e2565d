import { searchText } from '../search/words.ts';

test('What is kept for searching leaves markup out', () => {
  expect(searchText(['<p class="big">Été &amp; <b>hiver</b></p>'])).toBe('ete hiver ete hiver ete hiver');
});

test('Text full of opened tags that never end takes no longer than other text (C24)', () => {
  const began = performance.now();
  searchText(['<'.repeat(100_000)]);
  // With a pattern that looks for the end of each anew it is many seconds.
  expect(performance.now() - began).toBeLessThan(1000);
});
