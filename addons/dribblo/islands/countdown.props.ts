import { z } from 'zod';

/** A moment, the gauges with what a full round of each stands for, and what is said at the end. */
export default z.object({
  until: z.string(),
  gauges: z.array(
    z.object({ unit: z.enum(['days', 'hours', 'minutes', 'seconds']), full: z.number(), label: z.string() }),
  ),
  done: z.string(),
});
