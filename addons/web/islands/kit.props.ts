import { z } from 'zod';

export default z.object({ picture: z.string() });
