import { block, type Ctx, fragment, signText, verifyText, z } from 'pergola';
import { HOUR } from '../services/durations.ts';

/** Minimum time to submit a form; even browser autofill takes longer. */
const fastestMs = 300;
/** Maximum age of a form; older ones must be submitted again. */
const longestMs = 12 * HOUR;

const purpose = 'website.contact';

const texts = z.record(z.string(), z.string()).default({});

/** Contact form that editors can place on any page. */
export const contactBlock = block('website.contact_form', {
  label: 'Contact form',
  // Values and errors of a form that is shown again after submission.
  options: z.object({ values: texts, errors: texts, message: z.string().default('') }),
  template: 'website.contact_form',
  load: async (_ctx, state) => state,
});

/** Signed time at which the form was shown. It differs per visitor, so it is inserted after the page cache. */
export const contactStamp = fragment('website.contact_stamp', {
  template: 'website.contact_stamp',
  vary: 'always',
  load: async (ctx) => {
    const shownAt = String(ctx.now().getTime());
    return { stamp: `${shownAt}.${signText(ctx.config.sessionSecret, purpose, shownAt)}` };
  },
});

/** Returns whether this site rendered the form long enough ago for a person to have filled it in. */
export function isHuman(ctx: Ctx, stamp: string): boolean {
  const [shownAt = '', signature = ''] = stamp.split('.', 2);
  const age = ctx.now().getTime() - Number(shownAt);
  return verifyText(ctx.config.sessionSecret, purpose, shownAt, signature) && age >= fastestMs && age <= longestMs;
}
