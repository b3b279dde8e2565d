import { z } from 'zod';

const picture = z.object({ src: z.string(), thumb: z.string(), large: z.string(), alt: z.string() });
export type Picture = z.infer<typeof picture>;

export default z.object({ name: z.string(), pictures: z.array(picture).min(1) });
