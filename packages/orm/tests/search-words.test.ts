import { cpuTime } from '../../../tools/testing/cpu-time.ts';
import { searchText } from '../search/words.ts';

test('What is kept for searching leaves markup out', () => {
  expect(searchText(['<p class="big">Été &amp; <b>hiver</b></p>'])).toBe('ete hiver ete hiver ete hiver');
});

test('Text full of opened tags that never end takes no longer than other text (C24)', async () => {
  // A pattern that searches for the end of each takes many seconds.
  expect(await cpuTime(() => searchText(['<'.repeat(100_000)]))).toBeLessThan(1_000);
});
