/** Segment of two texts: common to both, or in one only. */
export interface ComparedPart {
  readonly kind: 'both' | 'theirs' | 'mine';
  readonly text: string;
}

/** Word limit for word-by-word comparison; longer texts are shown in full. */
const mostWords = 1500;

/** Compares two texts word by word (longest common subsequence). */
export function compareTexts(otherText: string, ownText: string): ComparedPart[] {
  const a = wordsOf(otherText);
  const b = wordsOf(ownText);
  if (a.length > mostWords || b.length > mostWords) {
    return [
      { kind: 'theirs', text: otherText },
      { kind: 'mine', text: ownText },
    ].filter(({ text }) => text !== '') as ComparedPart[];
  }
  const lengths = commonLengths(a, b);
  const parts: { kind: ComparedPart['kind']; text: string }[] = [];
  const append = (kind: ComparedPart['kind'], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      append('both', a[i] as string);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1)))
      append('theirs', a[i++] as string);
    else append('mine', b[j++] as string);
  }
  return parts;
}

function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i] as Uint16Array;
      row[j] = a[i] === b[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  }
  return rows;
}

function at(rows: readonly Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

/** Splits a text into words, each with its trailing whitespace. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

const lineEnds = 'p, h1, h2, h3, h4, h5, h6, li, div, section, br, tr, blockquote, figure, summary, details';

/** Text content of HTML, one line per block. Nothing in it is run or loaded. */
export function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll<HTMLElement>('[data-block]'))
    block.textContent = `[${block.dataset.block ?? ''}]`;
  for (const image of body.querySelectorAll('img'))
    image.replaceWith(`[${image.alt || image.getAttribute('src')?.split('/').at(-1) || ''}]`);
  for (const element of body.querySelectorAll(lineEnds)) element.append('\n');
  return (body.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** Maximum characters of common text shown around a difference. */
const context = 80;

/** Keeps the differences with some context; the rest becomes `…`. */
export function onlyDifferences(parts: readonly ComparedPart[]): ComparedPart[] {
  if (parts.every(({ kind }) => kind === 'both')) return [];
  return parts.map((part, index) => {
    if (part.kind !== 'both' || part.text.length <= context * 2) return part;
    const before = index === 0 ? '' : part.text.slice(0, context);
    const after = index === parts.length - 1 ? '' : part.text.slice(-context);
    return { kind: 'both', text: `${before} … ${after}`.trimStart() };
  });
}
