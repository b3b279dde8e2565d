import { z } from 'zod';

export default z.object({ book: z.number(), free: z.number(), signedIn: z.boolean() });
