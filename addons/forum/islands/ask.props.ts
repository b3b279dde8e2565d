import { z } from 'zod';

/** Form for asking a question or editing a post. */
export default z.object({
  action: z.string(),
  /** Target of the Cancel link. */
  back: z.string(),
  /** Name of the draft. */
  draft: z.string(),
  kind: z.enum(['question', 'edit', 'answer']),
  forum: z.number(),
  title: z.string(),
  titleSize: z.number(),
  /** URL for finding similar questions; null when editing. */
  similar: z.string().nullable(),
  tags: z.array(z.string()),
  /** Required karma for new tags if the author has less, else null. */
  tagNeeds: z.number().nullable(),
  mayUseTools: z.boolean(),
  errors: z.object({ title: z.string().optional(), tags: z.string().optional() }),
});
