import { z } from 'zod';

/** What a new passkey is called unless somebody says otherwise. */
export default z.object({ name: z.string() });
