import { z } from 'zod';

export default z.object({ label: z.string(), category: z.number().nullable() });
