import { z } from 'zod';

/** A moment, what was left of the time in whole minutes when the page was made, the gauges with what a full round of each stands for, and what is said at the end. */
export default z.object({
  until: z.string(),
  left: z.object({ days: z.number(), hours: z.number(), minutes: z.number() }),
  gauges: z.array(
    z.object({ unit: z.enum(['days', 'hours', 'minutes', 'seconds']), full: z.number(), label: z.string() }),
  ),
  done: z.string(),
});
