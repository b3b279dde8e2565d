import type { z } from 'zod';
import { useRedirect } from './parts/use-redirect.ts';
import type schema from './redirect-field.props.ts';

/** Hidden field of the sign-in form with the address to continue to. */
export default function RedirectField({ redirect }: z.infer<typeof schema>) {
  return <input type="hidden" name="redirect" value={useRedirect(redirect)} />;
}
