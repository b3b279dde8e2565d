import { z } from 'zod';

/** What stands in the field at first, and what is called apart from others on the page. */
export default z.object({ value: z.string().default('') });
