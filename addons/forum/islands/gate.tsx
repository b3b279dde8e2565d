import type { ReactNode } from 'react';
import type { z } from 'zod';
import type schema from './gate.props.ts';
import { karmaGate } from './parts/karma.ts';

/** Content that needs more karma than the reader has: clicks show a message instead. */
export default function Gate({ needs, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  return <div {...karmaGate(needs)}>{children}</div>;
}
