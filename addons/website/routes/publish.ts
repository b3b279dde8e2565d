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
 * Publishes a record or takes it back: the other way round than it is, or as `published` says. The form goes back to the page it stood on.
 *
 * @returns whether it is published now.
 */
export const publish = action(
  '/website/publish',
  {
    name: 'website.publish',
    input: z.object({
      id,
      object: z.string().max(64),
      published: z.union([z.boolean(), z.stringbool()]).optional(),
      /** Of pages: whoever publishes them has seen what the check found. A call that only turns the state round asks for no check. */
      anyway: z.union([z.boolean(), z.stringbool()]).optional(),
    }),
    // The form has no fields to fill in: its page is the one it was sent from.
    form: { auth: 'user', page: '/' },
  },
  ({ ctx, input }) => setPublished(ctx, input),
  ({ request }) => {
    const from = URL.parse(String(request.headers.referer ?? ''));
    return from?.origin === request.origin ? safePath(from.pathname + from.search) : '/';
  },
);

/** @throws NotFound for records that are not there for the caller, NotAllowed for those who may not write them. */
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
    throw new InvalidInput('Records of this kind cannot be published.', { code: 'website.not_publishable' });
  }
  const records: Model<FieldsOf<InstanceType<typeof Published>>> = ctx.modelNamed(object);
  const select = { website_published: true } as const;
  const [row] = await records.read([id], { select });
  if (!row) throw new NotFound('The record is not there, or you may not see it.', { code: 'website.no_such_record' });
  const values = { website_published: published ?? !row.website_published };
  if (anyway && object === WebsitePage.modelName)
    await ctx.model(WebsitePage).write(id, { ...values, publish_anyway: true });
  else await records.write(id, values);
  const { website_published: now } = await records.get(id, { select });
  return now;
}
