import { t, url } from 'pergola/browser';
import { count } from './statistics.ts';

/** Sign-in link for guests who have an account. */
export function SignInLink() {
  return (
    <>
      {t('Have an account?')}{' '}
      <a
        href={`${url('/web/login')}?redirect=${encodeURIComponent('/shop/checkout')}`}
        onClick={() => count('customer_signin')}
      >
        {t('Sign in')}
      </a>
    </>
  );
}
