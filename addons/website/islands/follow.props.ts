import { z } from 'zod';

/** A record that can be followed. What stands in it is shown once a mail was sent. */
export default z.object({ model: z.string(), id: z.number(), following: z.boolean().default(false) });
