import { z } from 'zod';

export default z.object({
  /** Where codes are sent, without the language. */
  action: z.string(),
});
