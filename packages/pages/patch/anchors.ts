import { editDistance } from '@pergola/core';
import { selectAll } from 'css-select';
import type { Element, ParentNode } from 'domhandler';
import { attributesOf, type ParsedSource, rangeOf, within } from '../source/source.ts';

/** A stable element of a template that other addons can target: a `data-slot` or an id. */
export interface Anchor {
  /** As a selector: `[data-slot="cart"]` or `#wrap`. */
  readonly selector: string;
  readonly kind: 'slot' | 'id';
  readonly name: string;
  /** The element's name, `header`. */
  readonly element: string;
  /** Its line in the final source. */
  readonly line: number;
}

/** Elements matching a selector; throws css-select's error for an invalid selector. */
export function select(parsed: ParsedSource, selector: string): Element[] {
  return selectAll<Element['children'][number] | ParentNode, Element>(selector, parsed.document, {
    xmlMode: true, // keeps names as written: linearGradient, viewBox
  });
}

/** Returns all anchors of a source in order, leaving out values that contain mustaches. */
export function anchorsOf(parsed: ParsedSource): Anchor[] {
  return select(parsed, '[data-slot], [id]').flatMap((element) => {
    const range = rangeOf(parsed, element);
    return attributesOf(parsed, element, range).flatMap(({ name, valueStart, valueEnd }): Anchor[] => {
      if ((name !== 'id' && name !== 'data-slot') || within(parsed.mustaches, valueStart, valueEnd).length > 0)
        return [];
      const value = parsed.source.slice(valueStart, valueEnd);
      const anchor = { name: value, element: element.name, line: parsed.lineAt(range.start) };
      return [
        name === 'id'
          ? { ...anchor, kind: 'id', selector: `#${value}` }
          : { ...anchor, kind: 'slot', selector: `[data-slot="${value}"]` },
      ];
    });
  });
}

/** Anchors most similar to a word of the selector, nearest first. */
export function nearestAnchors(selector: string, anchors: readonly Anchor[], count = 4): Anchor[] {
  const words = selector.match(/[A-Za-z_][\w-]*/g)?.filter((word) => word !== 'data-slot') ?? [];
  const distance = ({ name }: Anchor): number =>
    Math.min(
      Number.MAX_SAFE_INTEGER,
      ...words.map((word) => editDistance(word, name) / Math.max(word.length, name.length)),
    );
  return anchors
    .map((anchor) => ({ anchor, distance: distance(anchor) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ anchor }) => anchor);
}
