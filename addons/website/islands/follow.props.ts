import { z } from 'zod';

/** Record that can be followed. The children appear after an email was sent. */
export default z.object({ model: z.string(), id: z.number(), following: z.boolean().default(false) });
