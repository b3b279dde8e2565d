import { z } from 'zod';

/** Browser-side bookkeeping of a question page. */
export default z.object({
  /** URL for counting a view; null if views of the question aren't counted. */
  seen: z.string().nullable(),
  title: z.string(),
  /** Names of drafts whose posts are now on the page. */
  sent: z.array(z.string()),
});
