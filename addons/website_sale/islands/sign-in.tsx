import { t } from 'pergola/browser';
import { SignInLink } from './parts/sign-in-link.tsx';

/** Sign-in form for guests at the checkout who have an account. */
export default function SignIn() {
  return (
    <p className="shop-signin">
      <SignInLink /> {t('to use your saved address.')}
    </p>
  );
}
