import { type Ctx, NotAllowed, signText, verifyText, z } from 'pergola';

/** What one column of a kanban shows, as it travels to the browser and back. */
export interface Description {
  /** JSON */
  readonly domain: string;
  readonly model: string;
  readonly template: string;
  readonly step: string;
  readonly orderby: string;
}

const PURPOSE = 'website.kanban';

/** The description with a signature that only this site makes, for this website. */
export function signed<D extends Description>(ctx: Ctx, description: D): D & { readonly signature: string } {
  return { ...description, signature: signText(ctx.config.sessionSecret, PURPOSE, textOf(ctx, description)) };
}

const text = z.string().max(10_000).default('');
const sent = z.object({ domain: text, model: text, template: text, step: text, orderby: text, signature: text });

/**
 * The description that came back, exactly as this site wrote it for this website: what a visitor may choose is the page and nothing else.
 *
 * @throws NotAllowed when anything in it differs
 */
export function checked(ctx: Ctx, fields: unknown): Description {
  const parsed = sent.safeParse(fields);
  if (parsed.success) {
    const { signature, ...description } = parsed.data;
    if (verifyText(ctx.config.sessionSecret, PURPOSE, textOf(ctx, description), signature)) return description;
  }
  throw new NotAllowed('This part of the page is out of date. Load the page again.', {
    code: 'website.kanban_changed',
  });
}

/** Unambiguous: a list of texts as JSON. */
function textOf(ctx: Ctx, { domain, model, template, step, orderby }: Description): string {
  return JSON.stringify([domain, model, template, step, orderby, String(ctx.attributes.website?.id ?? '')]);
}
