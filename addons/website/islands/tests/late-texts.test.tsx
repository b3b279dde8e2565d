import 'pergola/testing/in-french';
import { screen } from '@testing-library/react';
import richText from '../../behaviours/rich-text.ts';
import { fillGaps, InSight } from '../../editor/browser/tests/kit.ts';

beforeAll(() => {
  fillGaps();
  Object.assign(globalThis, { IntersectionObserver: InSight });
});

it('The rich-text editor waits for the texts of its page', async () => {
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return fetch(...request);
  };
  document.body.innerHTML = '<form><textarea data-rich-text="comment" aria-label="Réponse"></textarea></form>';
  const area = document.querySelector('textarea');
  if (area) richText(area);
  area?.focus();
  expect(await screen.findByRole('option', { name: 'Paragraphe' })).toBeDefined();
});
