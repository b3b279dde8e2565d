import { isStroke } from '../islands/parts/stroke.ts';
import { beforeDiscount } from '../models/sale-order.ts';
import { withHeadings } from '../pages/headings.ts';
import { fingerprint } from '../services/acceptances.ts';

describe('A stroke', () => {
  it('begins with a movement of more than four pixels', () => {
    const to = (x: number, y: number) =>
      isStroke([
        { x: 10, y: 10 },
        { x: 11, y: 11 },
        { x, y },
      ]);
    expect([to(14, 10), to(14.01, 10), to(10, 6), to(13, 13), to(10, 15)]).toEqual([false, true, false, true, true]);
    expect(isStroke([{ x: 1, y: 1 }])).toBe(false);
    expect(isStroke([])).toBe(false);
  });
});

describe('The sidebar', () => {
  it('is made from h1 and h2, in their order, and nothing else', () => {
    const html =
      '<h1>One &amp; <b>only</b></h1><h3>no</h3><h2 id="own" class="x">Two</h2><h2> </h2><h2 class="y">Three</h2>';
    const { headings, html: marked } = withHeadings(html, 'q');
    expect(headings).toEqual([
      { id: 'q-1', text: 'One & only', level: 1 },
      { id: 'own', text: 'Two', level: 2 },
      { id: 'q-3', text: 'Three', level: 2 },
    ]);
    expect(withHeadings(`<h1>${'x'.repeat(200)}</h1>`, 'q').headings[0]?.text).toHaveLength(120);
    expect(marked).toBe(
      '<h1 id="q-1">One &amp; <b>only</b></h1><h3>no</h3><h2 id="own" class="x">Two</h2><h2> </h2><h2 id="q-3" class="y">Three</h2>',
    );
  });
});

describe('The amount before a discount', () => {
  it.each([
    [9_000, '10', 10_000],
    [1_165_500, '10', 1_295_000],
    [6_667, '33.33', 10_000],
    [0, '100', 0],
    [500, '0', 500],
  ])('%i at %s %% off was %i', (amount, discount, was) => {
    expect(beforeDiscount(amount, discount)).toBe(was);
  });
});

it('a fingerprint changes with everything that was signed', () => {
  const parts = [7, 'v1', 24_500, 1, 'Ada', 'hash', '2026-11-21T10:00:00.000Z', '192.0.2.1'];
  const prints = parts.map((_, at) => fingerprint(parts.map((part, index) => (index === at ? `${part}x` : part))));
  expect(new Set([fingerprint(parts), ...prints]).size).toBe(parts.length + 1);
});
