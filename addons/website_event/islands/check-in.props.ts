import { z } from 'zod';

export default z.object({
  /** Path that ticket codes are posted to, without the language prefix. */
  action: z.string(),
});
