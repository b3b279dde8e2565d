import { z } from 'zod';

export default z.object({
  /** Address to continue to; empty for the user's start page. */
  redirect: z.string(),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});
