import { z } from 'zod';

/** What waits is known to the phone alone. */
export default z.object({});
