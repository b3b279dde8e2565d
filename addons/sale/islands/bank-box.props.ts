import { z } from 'zod';

export default z.object({
  rows: z.array(
    z.object({
      label: z.string(),
      /** As people read it. */
      value: z.string(),
      /** As it is pasted; empty for what nobody copies. */
      copied: z.string(),
    }),
  ),
});
