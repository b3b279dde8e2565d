import { z } from 'zod';

export default z.object({
  /** Where it leads to; empty for wherever people are at home. */
  redirect: z.string(),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});
