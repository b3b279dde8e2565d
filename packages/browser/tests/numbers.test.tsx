/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { plural } from '../browser.ts';
import { usePage } from '../islands.ts';

const values = [0, 1, 5.5, 12.345, 0.125, 0.0125, 99.999, 998.9999, 999, 999.9996, 1000, 1234.5, -3.25, 1e9];
const styles = [undefined, { minimumFractionDigits: 2 }, { minimumFractionDigits: 2, maximumFractionDigits: 6 }];

function Numbers() {
  const { number } = usePage();
  return styles.flatMap((style) => values.map((value) => number(value, style))).join('|');
}

test.each([
  ['en_US', '.'],
  ['fr_FR', ','],
  ['sv_SE', ','],
])('Numbers in islands read as Intl writes them: %s', (lang, decimal) => {
  const data = JSON.stringify({ lang, prefix: '', decimal, texts: null, behaviours: [] });
  document.head.innerHTML = `<script type="application/json" id="pergola-page">${data}</script>`;
  const { container } = render(<Numbers />);
  expect(container.textContent).toBe(
    styles
      .flatMap((style) => values.map((value) => new Intl.NumberFormat(lang.replace('_', '-'), style).format(value)))
      .join('|'),
  );
});

test('Numbers in islands are written in the digits of the templates in every language', () => {
  const data = JSON.stringify({ lang: 'ar_EG', prefix: '', decimal: '.', texts: null, behaviours: [] });
  document.head.innerHTML = `<script type="application/json" id="pergola-page">${data}</script>`;
  const { container } = render(<Numbers />);
  expect(container.textContent).toMatch(/^[0-9.,|\u200e-]+$/);
});

test('Texts that follow a number are in English without a catalogue, whatever else they name', () => {
  document.head.innerHTML = `<script type="application/json" id="pergola-page">${JSON.stringify({ lang: 'en_US', prefix: '', decimal: '.', texts: null, behaviours: [] })}</script>`;
  const said = [0, 1, 2, 1500].map((n) => plural('{n} seat in {room}', '{n} seats in {room}', n, { room: 'A' }));
  expect(said).toEqual(['0 seats in A', '1 seat in A', '2 seats in A', '1,500 seats in A']);
});
