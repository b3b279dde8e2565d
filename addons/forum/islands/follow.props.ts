import { z } from 'zod';

/** Something that the reader follows, or does not. */
export default z.object({
  id: z.number(),
  /** The model's name. */
  object: z.string(),
  isFollowed: z.boolean(),
  /** Where one is without JavaScript afterwards. */
  path: z.string(),
});
