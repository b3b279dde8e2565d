import { z } from 'zod';

/** Form for answering a question. */
export default z.object({
  action: z.string(),
  /** Name of the draft. */
  draft: z.string(),
  mayUseTools: z.boolean(),
  /** Required karma if the author has less, else null. */
  needs: z.number().nullable(),
});
