import { t } from 'pergola/browser';
import { usePage } from 'pergola/islands';
import type { z } from 'zod';
import { useRedirect } from './parts/use-redirect.ts';
import type schema from './sign-up-link.props.ts';

/** Sign-up link, which keeps the address to continue to. */
export default function SignUpLink({ redirect }: z.infer<typeof schema>) {
  const { url } = usePage();
  const target = useRedirect(redirect);
  const query = target === '' ? '' : `?${new URLSearchParams({ redirect: target })}`;
  return <a href={url('/web/signup') + query}>{t('Create an account')}</a>;
}
