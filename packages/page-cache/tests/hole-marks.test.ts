import fc from 'fast-check';
import { HoleMarks } from '../hole-marks.ts';
import type { Hole } from '../types.ts';

const holes: readonly Hole[] = [
  { kind: 'csrf' },
  { kind: 'fragment', id: 'web.user_menu' },
  { kind: 'fragment', id: 'sale.cart' },
];

describe('Marks of holes', () => {
  test('cut a page where they stand, in texts and attributes, as often as they stand there', () => {
    const marks = new HoleMarks();
    const [token, menu] = [marks.mark({ kind: 'csrf' }), marks.mark({ kind: 'fragment', id: 'web.user_menu' })];
    const html = `<nav>${menu}</nav><input value="${token}"><p>3-4</p><input value="${token}">`;
    expect(marks.cut(html)).toEqual({
      parts: ['<nav>', '</nav><input value="', '"><p>3-4</p><input value="', '">'],
      holes: [holes[1], holes[0], holes[0]],
    });
  });

  test('leave alone whatever content says, also marks of another render', () => {
    const stolen = new HoleMarks().mark({ kind: 'csrf' });
    expect(new HoleMarks().cut(`<p>${stolen}</p>`)).toEqual({ parts: [`<p>${stolen}</p>`], holes: [] });
  });

  test('give back any page when each hole is filled with its mark', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constant('-'), fc.nat(holes.length - 1))), (pieces) => {
        const marks = new HoleMarks();
        const named = holes.map((hole) => marks.mark(hole));
        const html = pieces.map((piece) => (typeof piece === 'number' ? named[piece] : piece)).join('');
        const cut = marks.cut(html);
        const filled = cut.parts.map((part, at) => part + (cut.holes[at] ? named[holes.indexOf(cut.holes[at])] : ''));
        expect(filled.join('')).toBe(html);
        expect(cut.holes).toHaveLength(pieces.filter((piece) => typeof piece === 'number').length);
      }),
    );
  });
});
