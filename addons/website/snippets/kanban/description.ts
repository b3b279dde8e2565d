import { type Ctx, NotAllowed, signText, verifyText, z } from 'pergola';

/** Query of a kanban column, sent to the browser and back. */
export interface Description {
  /** JSON text. */
  readonly domain: string;
  readonly model: string;
  readonly template: string;
  readonly step: string;
  readonly orderby: string;
}

const PURPOSE = 'website.kanban';

/** Signs the description for this site and website. */
export function signed<D extends Description>(ctx: Ctx, description: D): D & { readonly signature: string } {
  return { ...description, signature: signText(ctx.config.sessionSecret, PURPOSE, textOf(ctx, description)) };
}

const text = z.string().max(10_000).default('');
const sent = z.object({ domain: text, model: text, template: text, step: text, orderby: text, signature: text });

/**
 * Verifies a description from the browser, so that a visitor can only change the page.
 *
 * @throws NotAllowed if any part of it was changed
 */
export function checked(ctx: Ctx, fields: unknown): Description {
  const parsed = sent.safeParse(fields);
  if (parsed.success) {
    const { signature, ...description } = parsed.data;
    if (verifyText(ctx.config.sessionSecret, PURPOSE, textOf(ctx, description), signature)) return description;
  }
  throw new NotAllowed('This part of the page is out of date. Reload the page.', {
    code: 'website.kanban_changed',
  });
}

/** Unambiguous serialisation: a JSON array. */
function textOf(ctx: Ctx, { domain, model, template, step, orderby }: Description): string {
  return JSON.stringify([domain, model, template, step, orderby, String(ctx.attributes.website?.id ?? '')]);
}
