import type { ReactNode } from 'react';
import type { z } from 'zod';
import type schema from './gate.props.ts';
import { karmaGate } from './parts/karma.ts';

/** What takes more karma than its reader has: a press says so. */
export default function Gate({ needs, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  return <div {...karmaGate(needs)}>{children}</div>;
}
