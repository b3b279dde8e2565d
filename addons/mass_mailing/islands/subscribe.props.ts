import { z } from 'zod';

/** The form to subscribe to a list; with what was sent and what is wrong with it where it comes back. */
export default z.object({ list: z.number(), redirect: z.string(), email: z.string(), error: z.string() });
