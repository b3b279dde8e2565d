import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import type { ComponentProps, ReactNode, SubmitEvent } from 'react';
import type { z } from 'zod';
import { TextField } from '../kit/field.tsx';
import { useErrors } from '../kit/use-errors.ts';
import type schema from './sign-up.props.ts';

/** Sign-up form. Marks missing fields before it is submitted. */
export default function SignUp({ redirect, values, errors: serverErrors }: z.infer<typeof schema>) {
  const { errors, check, mend } = useErrors(serverErrors);
  const field = (name: string, label: string, input: Partial<ComponentProps<typeof TextField>>, help?: ReactNode) => (
    <TextField
      id={name}
      label={label}
      help={help}
      error={errors[name]}
      name={name}
      required
      defaultValue={values[name] ?? ''}
      {...input}
    />
  );
  const password = { type: 'password', autoComplete: 'new-password', minLength: 8, maxLength: 256 } as const;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    const { password, confirm } = Object.fromEntries(new FormData(event.currentTarget));
    event.currentTarget
      .querySelector<HTMLInputElement>('#confirm')
      ?.setCustomValidity(password === confirm ? '' : t('The passwords don’t match.'));
    check(event);
  };
  return (
    <form
      className="card card-body"
      method="post"
      action={url('/web/signup')}
      noValidate
      data-slot="signup-form"
      onSubmit={send}
      onInput={mend}
    >
      <Token />
      <input type="hidden" name="redirect" value={redirect} />
      {field('name', t('Your name'), { autoComplete: 'name', maxLength: 120 })}
      {field('email', t('Email address'), { type: 'email', autoComplete: 'email', maxLength: 254 })}
      {field('password', t('Password'), password, t('At least 8 characters. A few random words work well.'))}
      {field('confirm', t('Confirm password'), password)}
      <div className="d-grid">
        <button className="btn btn-primary" type="submit">
          {t('Create an account')}
        </button>
      </div>
    </form>
  );
}
