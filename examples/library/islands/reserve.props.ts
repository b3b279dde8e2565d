import { z } from 'zod';

export default z.object({ book: z.number(), free: z.number(), reserved: z.boolean(), signedIn: z.boolean() });
