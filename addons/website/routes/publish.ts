import { action, type Ctx, type FieldsOf, InvalidInput, NotFound, safePath, z } from 'pergola';
import { type Model, models } from 'pergola/orm';
import type { Published } from '../mixins/published.ts';
import { WebsitePage } from '../models/website-page.ts';

const id = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
]);

/**
 * Publishes or unpublishes a record: toggles its state, or sets it to `published`. The form redirects to the page it was on.
 *
 * @returns whether the record is now published
 */
export const publish = action(
  '/website/publish',
  {
    name: 'website.publish',
    input: z.object({
      id,
      object: z.string().max(64),
      published: z.union([z.boolean(), z.stringbool()]).optional(),
      /** For pages: confirms the issues that the check found. Calls that toggle the state skip the check. */
      anyway: z.union([z.boolean(), z.stringbool()]).optional(),
    }),
    // The form has no input fields: it returns to the page it was sent from.
    form: { auth: 'user', page: '/' },
  },
  ({ ctx, input }) => setPublished(ctx, input),
  ({ request }) => {
    const from = URL.parse(String(request.headers.referer ?? ''));
    return from?.origin === request.origin ? safePath(from.pathname + from.search) : '/';
  },
);

/** @throws NotFound if the caller can't read the record, NotAllowed if the caller can't write it */
async function setPublished(
  ctx: Ctx,
  {
    id,
    object,
    published,
    anyway = published === undefined,
  }: { id: number; object: string; published?: boolean | undefined; anyway?: boolean | undefined },
): Promise<boolean> {
  if (!ctx.get(models).get(object)?.mixins.has('website.published')) {
    throw new InvalidInput('This kind of record can’t be published.', { code: 'website.not_publishable' });
  }
  const records: Model<FieldsOf<InstanceType<typeof Published>>> = ctx.modelNamed(object);
  const select = { website_published: true } as const;
  const [row] = await records.read([id], { select });
  if (!row)
    throw new NotFound('This record was deleted, or you don’t have access to it.', { code: 'website.no_such_record' });
  const values = { website_published: published ?? !row.website_published };
  if (anyway && object === WebsitePage.modelName)
    await ctx.model(WebsitePage).write(id, { ...values, publish_anyway: true });
  else await records.write(id, values);
  const { website_published: now } = await records.get(id, { select });
  return now;
}
