import { Language } from '@pergola/base';
import { app, errorText, InvalidInput, PergolaError, route, z } from 'pergola';
import { changedPasswordHash, keepPassword } from '../services/accounts.ts';
import { sessionInfo, versionInfo } from '../services/session-info.ts';
import { checkCredentials, completeSignIn, requirePasswordAlone } from '../services/sign-in.ts';
import { t } from '../texts.ts';

const authenticate = route.rpc(
  '/web/session/authenticate',
  {
    name: 'web.session_authenticate',
    writes: true,
    input: z.object({ db: z.unknown().optional(), login: z.string().max(255), password: z.string().max(1024) }),
    prepare: ({ ctx, input, request }) => checkCredentials(ctx, { ...input, address: request.ip }),
  },
  async ({ ctx, prepared: userId }) => {
    if (userId !== null) {
      await requirePasswordAlone(ctx, userId);
      await completeSignIn(ctx, userId);
    }
    return sessionInfo(ctx, userId, false);
  },
);

const info = route.rpc('/web/session/get_session_info', { name: 'web.session_info' }, ({ ctx }) =>
  sessionInfo(ctx, ctx.user.id, null),
);

const check = route.rpc('/web/session/check', { name: 'web.session_check', auth: 'user' }, () => null);

const destroy = route.rpc(
  '/web/session/destroy',
  { name: 'web.session_destroy', auth: 'user', writes: true },
  ({ ctx }) => {
    ctx.session.signOut();
    return null;
  },
);

const languages = route.rpc('/web/session/get_lang_list', { name: 'web.session_languages' }, async ({ ctx }) => {
  const rows = await ctx.model(Language).find([], { select: { code: true, name: true } });
  return rows.map(({ code, name }) => [code, name]);
});

const modules = route.rpc('/web/session/modules', { name: 'web.session_modules', auth: 'user' }, ({ ctx }) =>
  ctx.get(app.addons).map(({ name }) => name),
);

const passwordFields = z.object({
  fields: z.array(z.object({ name: z.string(), value: z.union([z.string().max(1024), z.literal(false)]) })).max(10),
});

/** Password change of Odoo's dialog: three named values; errors are part of the response. */
const changePassword = route.rpc(
  '/web/session/change_password',
  {
    name: 'web.session_change_password',
    auth: 'user',
    writes: true,
    input: passwordFields,
    prepare: async ({ ctx, input, request }): Promise<{ hash: string } | { error: string }> => {
      const fieldValues = new Map(input.fields.map(({ name, value }) => [name, value || '']));
      const [old = '', password = '', confirm = ''] = ['old_pwd', 'new_password', 'confirm_pwd'].map((name) =>
        fieldValues.get(name),
      );
      if (old === '' || password === '' || confirm === '') return { error: t(ctx, 'Fill in all three fields.') };
      try {
        return { hash: await changedPasswordHash(ctx, { old, password, confirm, address: request.ip }) };
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error;
        return { error: errorText(ctx, error) };
      }
    },
  },
  async ({ ctx, prepared }) => {
    if ('error' in prepared) return { error: prepared.error, title: t(ctx, 'Change my password') };
    if (ctx.user.id === null) throw new PergolaError('You’re not signed in.');
    await keepPassword(ctx, ctx.user.id, prepared.hash);
    // Odoo returns the new password here; the client already knows it.
    return { new_password: true };
  },
);

const version = route.rpc('/web/webclient/version_info', { name: 'web.version_info' }, () => versionInfo);

export const sessionRoutes = [authenticate, info, check, destroy, languages, modules, changePassword, version];
