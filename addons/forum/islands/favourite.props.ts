import { z } from 'zod';

/** Whether a question is a favourite of the reader, and the number of its favourites. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/question/', z.number()]),
  isOn: z.boolean(),
  count: z.number(),
});
