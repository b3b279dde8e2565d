import { z } from 'zod';

/** A post that can be flagged. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
  /** Required karma if the reader has less, else null. */
  needs: z.number().nullable(),
});
