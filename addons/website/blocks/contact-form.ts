import { block, type Ctx, fragment, signText, verifyText, z } from 'pergola';
import { HOUR } from '../services/durations.ts';

/** Nobody sends a form in less time, not even one that the browser has filled in. */
const fastestMs = 300;
/** A form left open for longer has to be sent once more. */
const longestMs = 12 * HOUR;

const purpose = 'website.contact';

const texts = z.record(z.string(), z.string()).default({});

/** The contact form, for editors to place on any page. */
export const contactBlock = block('website.contact_form', {
  label: 'Contact form',
  // What a form holds that comes back to its page.
  options: z.object({ values: texts, errors: texts, message: z.string().default('') }),
  template: 'website.contact_form',
  load: async (_ctx, state) => state,
});

/** When the form was shown, signed: new for everybody, so it is filled in after the page cache. */
export const contactStamp = fragment('website.contact_stamp', {
  template: 'website.contact_stamp',
  vary: 'always',
  load: async (ctx) => {
    const shown = String(ctx.now().getTime());
    return { stamp: `${shown}.${signText(ctx.config.sessionSecret, purpose, shown)}` };
  },
});

/** Whether a form was shown by this site long enough ago for somebody to have filled it in. */
export function isHuman(ctx: Ctx, stamp: string): boolean {
  const [shown = '', signature = ''] = stamp.split('.', 2);
  const age = ctx.now().getTime() - Number(shown);
  return verifyText(ctx.config.sessionSecret, purpose, shown, signature) && age >= fastestMs && age <= longestMs;
}
