import { z } from 'zod';
import { hold } from './parts/props.ts';

export default z.object({ until: hold });
