import { z } from 'zod';

/** Shared page: absolute URL and title. */
export default z.object({ address: z.string(), title: z.string().default('') });
