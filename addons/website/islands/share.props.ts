import { z } from 'zod';

/** The page that is shared: its complete address and its title. */
export default z.object({ address: z.string(), title: z.string().default('') });
