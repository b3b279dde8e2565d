import { topBlocks } from './blocks.ts';

/** Whether a text in another language has the blocks of the one it translates, in their order. */
export function hasBlocksOf(source: string, translation: string): boolean {
  const [theirs, own] = [blocksOf(source).map(kindOf), blocksOf(translation).map(kindOf)];
  return theirs.length === own.length && theirs.every((kind, index) => kind === own[index]);
}

/**
 * The translation with the blocks of its source: those it has keep their translated text, those it lacks come in the source's language, those
 * the source has no more are left out.
 *
 * ```
 * source       banner  text  gallery* quote        (* new)
 * translation  banner  text  quote    footer°      (° gone)
 * answer       banner  text  gallery* quote        (banner, text and quote translated)
 * ```
 */
export function withBlocksOf(source: string, translation: string): string {
  const theirs = blocksOf(source);
  const own = blocksOf(translation);
  const kept = pairs(theirs, own);
  return theirs.map((block) => (kept.get(block) ?? block).outerHTML).join('\n');
}

function blocksOf(html: string): HTMLElement[] {
  const holder = document.createElement('div');
  // A document of its own: nothing in it is loaded or run.
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  holder.append(...parsed.body.childNodes);
  return topBlocks(holder);
}

/** What a block is, whatever stands in it. */
function kindOf(block: Element): string {
  const snippet = [...block.classList].find((name) => name.startsWith('s_')) ?? '';
  return [block.localName, block.getAttribute('data-block') ?? '', snippet].join(' ');
}

/** The same with everything in it but its words. */
function shapeOf(block: Element): string {
  return [block, ...block.querySelectorAll('*')].map((one) => `${one.localName}.${one.className}`).join(' ');
}

/** Which block of the translation stands for which of the source: the most alike, in order (the longest common subsequence, by weight). */
function pairs(theirs: readonly HTMLElement[], own: readonly HTMLElement[]): Map<HTMLElement, HTMLElement> {
  const [shapes, ownShapes] = [theirs.map(shapeOf), own.map(shapeOf)];
  const [kinds, ownKinds] = [theirs.map(kindOf), own.map(kindOf)];
  const likeness = (a: number, b: number): number =>
    kinds[a] !== ownKinds[b] ? 0 : shapes[a] === ownShapes[b] ? 2 : 1;
  // best[a][b]: the weight of the best pairs of what comes from a and b on.
  const best: number[][] = Array.from({ length: theirs.length + 1 }, () => new Array<number>(own.length + 1).fill(0));
  const at = (a: number, b: number): number => best[a]?.[b] ?? 0;
  for (let a = theirs.length - 1; a >= 0; a--) {
    for (let b = own.length - 1; b >= 0; b--) {
      const like = likeness(a, b);
      const row = best[a];
      if (row) row[b] = Math.max(at(a + 1, b), at(a, b + 1), like > 0 ? like + at(a + 1, b + 1) : 0);
    }
  }
  const found = new Map<HTMLElement, HTMLElement>();
  for (let a = 0, b = 0; a < theirs.length && b < own.length; ) {
    const [block, mine] = [theirs[a], own[b]];
    const like = likeness(a, b);
    if (block && mine && like > 0 && at(a, b) === like + at(a + 1, b + 1)) {
      found.set(block, mine);
      a++;
      b++;
    } else if (at(a, b) === at(a + 1, b)) a++;
    else b++;
  }
  return found;
}
