import { z } from 'zod';

/** Address to continue to after signing in; empty for the user's start page. */
export default z.object({ redirect: z.string() });
