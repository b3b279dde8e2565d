import { z } from 'zod';

/** What stands in the field at first, and whether it is given the focus when what it stands in is opened. */
export default z.object({ value: z.string().default(''), autofocus: z.boolean().default(false) });
