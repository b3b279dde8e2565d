/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { usePage } from '../../islands.ts';

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
