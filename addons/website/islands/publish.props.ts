import { z } from 'zod';

/**
 * Publishable record. `asks`: the server may ask for confirmation first. `controller`: path called instead of `/website/publish` with `id`,
 * `object` and `published`; it returns whether the record is now published, and accepts a form at `<path>/form`.
 */
export default z.object({
  id: z.number(),
  model: z.string(),
  published: z.boolean().default(false),
  asks: z.boolean().optional(),
  controller: z.string().startsWith('/').optional(),
});
