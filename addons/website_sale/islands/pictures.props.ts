import { z } from 'zod';
import { variantPicture } from './parts/props.ts';

const picture = variantPicture.extend({ thumb: z.string(), alt: z.string() });
export type Picture = z.infer<typeof picture>;

export default z.object({ name: z.string(), pictures: z.array(picture).min(1) });
