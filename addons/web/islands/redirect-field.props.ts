import { z } from 'zod';

/** Where the form leads to once somebody has signed in; empty for wherever they are at home. */
export default z.object({ redirect: z.string() });
