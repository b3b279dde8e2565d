import { z } from 'zod';

/** Path to open after signing in; empty for the user's default page. */
export default z.object({ redirect: z.string() });
