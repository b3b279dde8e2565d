import { z } from 'zod';

/** A record that the reader may follow. */
export default z.object({
  id: z.number(),
  /** Model name. */
  object: z.string(),
  isFollowed: z.boolean(),
  /** Return path without JavaScript. */
  path: z.string(),
});
