import { z } from 'zod';

/** Default name of a new passkey. */
export default z.object({ name: z.string() });
