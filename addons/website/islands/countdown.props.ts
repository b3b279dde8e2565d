import { z } from 'zod';

/** A moment, what was left of the time in whole minutes when the page was made, and what is said at the end ("Here we go!" unless told). */
export default z.object({
  until: z.string(),
  left: z.object({ days: z.number(), hours: z.number(), minutes: z.number() }),
  done: z.string(),
});
