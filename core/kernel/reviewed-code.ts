import type { Problem } from '../base/index.ts';
import type { LifecycleParts } from './host.ts';
import type { CodeReview, Consent } from './plan.ts';
import { inEnglish } from './sentence.ts';

type ReviewHost = Pick<LifecycleParts, 'storage' | 'discovery' | 'reviewsCode'>;

/**
 * Loads the code of these addons. Leaves out external ones with new capabilities that need consent, and addons that depend on them.
 *
 * @param consent stored before loading
 * @returns code that still needs consent
 */
export async function loadReviewed(
  { storage, discovery, reviewsCode = false }: ReviewHost,
  names: Iterable<string>,
  consent?: Consent,
): Promise<readonly CodeReview[]> {
  const wanted = new Set(names);
  const loaded = new Set(discovery.loaded.map(({ name }) => name));
  const outside = discovery.addons.filter(({ name, outside }) => outside && wanted.has(name) && !loaded.has(name));
  const reviews = reviewsCode && outside.length > 0 ? await storage.reviews(outside) : [];
  const accepted = reviews.filter(({ digest }) => consent?.digests.includes(digest));
  if (consent && accepted.length > 0) await storage.addConsents(accepted, consent.by);
  const open = reviews.filter((review) => !accepted.includes(review));
  await discovery.load(wanted, new Set(open.map(({ addon }) => addon)));
  return open;
}

/** Why an enabled addon isn't loaded: its code was changed and can do more now. */
export function reviewProblem({ addon, added }: CodeReview): Problem {
  const capabilities = added.filter(({ risk }) => risk !== 'low').map(({ what }) => inEnglish(what));
  return {
    addon,
    message: `its code was changed and can do more than was agreed to: ${capabilities.join('; ')}.`,
    remedy: `Read it and agree to it: “Try again” on the Apps screen, or \`pergola disable ${addon}\` and \`pergola enable ${addon}\`.`,
  };
}
