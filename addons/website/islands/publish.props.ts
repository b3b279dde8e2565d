import { z } from 'zod';

/** A record that can be published. */
export default z.object({ id: z.number(), model: z.string(), published: z.boolean().default(false) });
