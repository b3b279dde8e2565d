import { z } from 'zod';
import type { Start } from '../backend/types.ts';

/** Start data of the screens, which render in the browser only. */
export default z.custom<Start>();
export const island = { ssr: false };
