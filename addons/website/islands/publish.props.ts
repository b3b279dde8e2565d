import { z } from 'zod';

/**
 * A record that can be published. `asks`: the server may have a question before it is. `controller`: path that is called instead of `/website/publish`, with
 * `id`, `object` and `published`; it answers whether the record is published now, and takes a form at `<path>/form`.
 */
export default z.object({
  id: z.number(),
  model: z.string(),
  published: z.boolean().default(false),
  asks: z.boolean().optional(),
  controller: z.string().startsWith('/').optional(),
});
