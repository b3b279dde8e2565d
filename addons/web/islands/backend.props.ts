import { z } from 'zod';
import type { Start } from '../backend/types.ts';

/** What the screens begin with; they are drawn in the browser only. */
export default z.custom<Start>();
export const island = { ssr: false };
