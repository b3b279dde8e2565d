import { z } from 'zod';

/** The form to answer a question. */
export default z.object({
  action: z.string(),
  /** Name of the draft. */
  draft: z.string(),
  mayUseTools: z.boolean(),
  /** The karma it takes where the writer has less. */
  needs: z.number().nullable(),
});
