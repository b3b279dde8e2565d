import { namedCache } from '@pergola/caches';
import { Parser } from 'htmlparser2';

/** Position of a block in HTML: the content between the tags of its `div` is replaced. */
interface Place {
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly start: number;
  end: number;
}

/** Cached by text, since the same texts are shown repeatedly. */
const placesByHtml = namedCache<string, readonly Place[]>('block_places', {
  maxSize: 2_000_000,
  sizeCalculation: (places, html) => html.length + places.length * 300,
  memoMethod: findBlocks,
});

/**
 * Fills every `<div data-block="…">` of sanitised HTML, replacing its content. The tags keep their data for the editor. Nested blocks are
 * replaced together with their parent.
 */
export function fillBlocks(
  html: string,
  fill: (id: string, options: Readonly<Record<string, unknown>>) => string,
): string {
  let filled = '';
  let from = 0;
  for (const { id, options, start, end } of placesByHtml.memo(html)) {
    filled += html.slice(from, start) + fill(id, options);
    from = end;
  }
  return filled + html.slice(from);
}

function findBlocks(html: string): readonly Place[] {
  const places: Place[] = [];
  let open: Place | null = null;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (open) {
        if (name === 'div') depth++;
        return;
      }
      const id = attributes['data-block'];
      if (name !== 'div' || id === undefined) return;
      const start = parser.endIndex + 1;
      open = { id, options: readOptions(attributes['data-options']), start, end: start };
      depth = 1;
    },
    onclosetag(name) {
      if (!open || name !== 'div' || --depth > 0) return;
      open.end = parser.startIndex;
      places.push(open);
      open = null;
    },
  });
  parser.write(html);
  parser.end();
  return places;
}

/** Options are JSON saved by editors. Invalid JSON counts as no options; the block's schema decides. */
function readOptions(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
