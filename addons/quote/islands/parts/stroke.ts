/** A touch counts as a stroke once it has moved farther than this, in CSS pixels (specification, section 9). */
export const STROKE_MOVE = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether a touch moved farther than {@link STROKE_MOVE} from its starting point. */
export function isStroke(points: readonly Point[]): boolean {
  const [first] = points;
  return first !== undefined && points.some(({ x, y }) => Math.hypot(x - first.x, y - first.y) > STROKE_MOVE);
}
