interface Scored {
  readonly state?: unknown;
  readonly receiver_res?: number | null | undefined;
  readonly visitor_res?: number | null | undefined;
}

/**
 * What follows from a result that is given or taken away: with goals of both teams a match has a result and, unless something else is said, was
 * played; without them it has none. Anything else stays as it came.
 */
export function withResult<V extends Scored>(values: V): V {
  const { receiver_res, visitor_res } = values;
  if (typeof receiver_res === 'number' && typeof visitor_res === 'number') {
    return { state: 'played', is_res: true, ...values };
  }
  if (receiver_res !== null || visitor_res !== null) return values;
  const nothing = { is_res: false, is_shot: false, receiver_shot: null, visitor_shot: null, forfeit_by: null };
  return { state: 'planned', ...nothing, ...values };
}
