import { z } from 'zod';

/** A comment that the reader can delete. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
  id: z.number(),
});
