import { fragment } from 'pergola';
import { SignInProvider } from './models/auth-provider.ts';

/** Sign-in buttons of the providers, shown on the sign-in page. */
export const providers = fragment('auth.providers', {
  template: 'auth.providers',
  load: async (ctx, request) => ({
    providers: await ctx
      .sudo() // Visitors have no access to providers, but can see their names.
      .model(SignInProvider)
      .find([['active', '=', true]], { select: { name: true } }),
    redirect: new URL(request.url, request.origin).searchParams.get('redirect') ?? '',
  }),
});
