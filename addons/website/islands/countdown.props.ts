import { z } from 'zod';

/** Target moment, whole minutes left when the page was rendered, and the final text (default: "Here we go!"). */
export default z.object({
  until: z.string(),
  left: z.object({ days: z.number(), hours: z.number(), minutes: z.number() }),
  done: z.string(),
});
