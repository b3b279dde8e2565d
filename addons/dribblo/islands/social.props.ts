import { z } from 'zod';

/** An account of a network, and the frame its feed is shown in. */
export default z.object({
  network: z.string(),
  name: z.string(),
  page: z.string(),
  frame: z.string(),
  height: z.number(),
});
