import type { z } from 'zod';
import { useRedirect } from './parts/use-redirect.ts';
import type schema from './redirect-field.props.ts';

/** The field of the sign-in form that says where it leads to. */
export default function RedirectField({ redirect }: z.infer<typeof schema>) {
  return <input type="hidden" name="redirect" value={useRedirect(redirect)} />;
}
