import { z } from 'zod';

/** A record that can be published. `asks`: the server may have a question before it is. */
export default z.object({
  id: z.number(),
  model: z.string(),
  published: z.boolean().default(false),
  asks: z.boolean().optional(),
});
