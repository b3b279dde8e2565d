import { z } from 'zod';

/** A post that may be flagged. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
  /** The karma it takes where the reader has less. */
  needs: z.number().nullable(),
});
