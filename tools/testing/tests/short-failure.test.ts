import { shortFailure } from '../jest/short-failure.ts';

const page = `<main>${'<p>Filler</p>'.repeat(500)}<h1>Three places left</h1>${'<p>Filler</p>'.repeat(500)}</main>`;

function failureOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    return shortFailure((error as Error).message);
  }
  throw new Error('The check passed.');
}

test.each<[name: string, check: () => void]>([
  ['toContain', () => expect(page).toContain('<h1>Two places left</h1>')],
  ['not.toContain', () => expect(page).not.toContain('<h1>Three places left</h1>')],
  ['not.toMatch', () => expect(page).not.toMatch(/[A-Z]\w+ places \w+/)],
  ['toMatch', () => expect(page).toMatch(/<h1>Two places left/)],
])('A failed %s of a page shows the part most like the expected one', (_, check) => {
  const message = failureOf(check);
  expect(message).toMatch(/Three.* places left/s);
  expect(message).toMatch(/\(13\d\d\d characters; shown: the most similar part\)/);
  expect(message.length).toBeLessThan(1_500);
});

test('A short text is shown whole', () => {
  expect(failureOf(() => expect('<p>One</p>').toContain('Two'))).toContain('Received string:    "<p>One</p>"');
});
