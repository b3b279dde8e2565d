/** PostgreSQL's limits for a `tsvector`: positions per word, and the highest position. */
const maxPositions = 255;
const maxPosition = 16_383;

/** Text form of a `tsvector` for words in order, bypassing PostgreSQL's parser, so that both databases index the same words. */
export function vectorOf(text: string): string {
  const places = new Map<string, number[]>();
  let place = 0;
  for (const word of text.split(' ')) {
    if (word === '') continue;
    place = Math.min(place + 1, maxPosition);
    const positions = places.get(word);
    if (!positions) places.set(word, [place]);
    else if (positions.length < maxPositions && positions.at(-1) !== place) positions.push(place);
  }
  return [...places].map(([word, positions]) => `${quotedWord(word)}:${positions.join(',')}`).join(' ');
}

/** Words of a `tsvector` in order of position. */
export function wordsOfVector(vector: string): string {
  const words: { word: string; place: number }[] = [];
  for (const [, quoted = '', positions = '0'] of vector.matchAll(/'((?:[^'\\]|''|\\.)*)'(?::([\d,]+))?/gs)) {
    const word = quoted.replace(/''|\\(.)/gs, (_, escaped?: string) => escaped ?? "'");
    for (const place of positions.split(',')) words.push({ word, place: Number(place) });
  }
  return words
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word)
    .join(' ');
}

function quotedWord(word: string): string {
  return `'${word.replace(/['\\]/g, (sign) => sign + sign)}'`;
}
