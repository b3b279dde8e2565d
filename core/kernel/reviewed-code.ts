import type { Problem } from '../base/index.ts';
import type { LifecycleParts } from './host.ts';
import type { Agreement, CodeReview } from './plan.ts';
import { inEnglish } from './sentence.ts';

type ReviewHost = Pick<LifecycleParts, 'storage' | 'discovery' | 'reviewsCode'>;

/**
 * Loads the code of these addons, except that of addons from elsewhere that can do more than somebody agreed to, and of those that depend
 * on them.
 *
 * @param agreement stored before for the code that it is about
 * @returns what has to be agreed to first
 */
export async function loadReviewed(
  { storage, discovery, reviewsCode = false }: ReviewHost,
  names: Iterable<string>,
  agreement?: Agreement,
): Promise<readonly CodeReview[]> {
  const wanted = new Set(names);
  const loaded = new Set(discovery.loaded.map(({ name }) => name));
  const outside = discovery.addons.filter(({ name, outside }) => outside && wanted.has(name) && !loaded.has(name));
  const reviews = reviewsCode && outside.length > 0 ? await storage.reviews(outside) : [];
  const agreed = reviews.filter(({ digest }) => agreement?.digests.includes(digest));
  if (agreement && agreed.length > 0) await storage.agree(agreed, agreement.by);
  const open = reviews.filter((review) => !agreed.includes(review));
  await discovery.load(wanted, new Set(open.map(({ addon }) => addon)));
  return open;
}

/** Why an enabled addon isn't loaded: its code was changed and can do more now. */
export function reviewProblem({ addon, added }: CodeReview): Problem {
  const powers = added.filter(({ risk }) => risk !== 'low').map(({ what }) => inEnglish(what));
  return {
    addon,
    message: `its code was changed and can do more than was agreed to: ${powers.join('; ')}.`,
    remedy: `Read it and agree to it: “Try again” on the Apps screen, or \`pergola disable ${addon}\` and \`pergola enable ${addon}\`.`,
  };
}
