import { fragment } from 'pergola';
import { SignInProvider } from './models/auth-provider.ts';

/** Other ways to sign in, on the sign-in page: one button for each provider. */
export const providers = fragment('auth.providers', {
  template: 'auth.providers',
  load: async (ctx, request) => ({
    providers: await ctx
      .sudo() // Visitors have no rights on providers, and see their names.
      .model(SignInProvider)
      .find([['active', '=', true]], { select: { name: true } }),
    redirect: new URL(request.url, request.origin).searchParams.get('redirect') ?? '',
  }),
});
