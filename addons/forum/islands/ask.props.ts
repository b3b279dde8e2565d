import { z } from 'zod';

/** The form to ask a question, or to change a post. */
export default z.object({
  action: z.string(),
  /** Where Cancel leads. */
  back: z.string(),
  /** Name of the draft. */
  draft: z.string(),
  kind: z.enum(['question', 'edit', 'answer']),
  forum: z.number(),
  title: z.string(),
  titleSize: z.number(),
  /** Where questions like it are asked for; null where it stands already. */
  similar: z.string().nullable(),
  tags: z.array(z.string()),
  /** The karma that new tags take where the writer has less. */
  tagNeeds: z.number().nullable(),
  mayUseTools: z.boolean(),
  errors: z.object({ title: z.string().optional(), tags: z.string().optional() }),
});
