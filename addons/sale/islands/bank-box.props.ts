import { z } from 'zod';

export default z.object({
  rows: z.array(
    z.object({
      label: z.string(),
      /** Value in readable form. */
      value: z.string(),
      /** Value for the clipboard; empty if there is nothing to copy. */
      copied: z.string(),
    }),
  ),
});
