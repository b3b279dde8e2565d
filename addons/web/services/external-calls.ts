import { Passwords, User } from '@pergola/base';
import { type Ctx, type Id, type Identity, identityOf, NotFound, Unauthenticated, z } from 'pergola';
import { bearerIdentity, giveBackSignIn, isBearerToken, takeSignIn } from 'pergola/http';
import { type ModelCall, prepareModelCall } from './rpc/call.ts';
import { callForClient, clientCallWrites } from './rpc/client-call.ts';
import { DATABASE, versionInfo } from './session-info.ts';
import { noteFailure, requirePasswordAlone } from './sign-in.ts';
import { type Verified, VerifiedPasswords } from './verified-passwords.ts';

/** A call of one of the services for programs, independent of the protocol. */
export interface ServiceCall {
  readonly service: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A call with an authenticated caller: already answered, or still to be run. */
export type PreparedCall =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'call'; readonly user: Identity; readonly call: ModelCall };

const text = z.string().max(1024);
const id = z.number().int().positive();
const name = z.string().min(1).max(64);
const keywordArgs = z.record(z.string(), z.unknown());

/** Argument types of each service method, in order. */
const shapes = {
  sign: z.tuple([z.unknown(), text, text]).rest(z.unknown()),
  execute: z.tuple([z.unknown(), id, text, name, name]).rest(z.unknown()),
};

/**
 * Authenticates the caller by login and password or access token, and stores the files of the call. Call it before the transaction.
 *
 * @throws Unauthenticated; NotFound for unknown services; TooMany
 */
export async function prepareService(ctx: Ctx, request: ServiceCall, address: string): Promise<PreparedCall> {
  const { service, method: methodName, args } = request;
  if (service === 'common') return { kind: 'answer', value: await common(ctx, methodName, args, address) };
  if (service === 'db') return { kind: 'answer', value: database(methodName, args) };
  if (service !== 'object') throw noService(service, methodName);
  const call = methodName === 'execute' ? executeOf(args) : methodName === 'execute_kw' ? executeKwOf(args) : null;
  if (!call) throw noService(service, methodName);
  const user = await authenticate(ctx, call.uid, call.password, address);
  return { kind: 'call', user, call: await prepareModelCall(ctx.as(seenAs(user)), call.call) };
}

/** Whether the call needs a transaction. */
export function serviceWrites(ctx: Ctx, prepared: PreparedCall): boolean {
  return prepared.kind === 'call' && clientCallWrites(ctx, prepared.call);
}

/** Runs the call as its caller. */
export async function runService(ctx: Ctx, prepared: PreparedCall): Promise<unknown> {
  return prepared.kind === 'answer' ? prepared.value : callForClient(ctx.as(seenAs(prepared.user)), prepared.call);
}

function seenAs(user: Identity): Parameters<Ctx['as']>[0] {
  return {
    user,
    ...(user.lang ? { lang: user.lang } : {}),
    ...(user.timezone ? { timezone: user.timezone } : {}),
  };
}

async function common(ctx: Ctx, method: string, args: readonly unknown[], address: string): Promise<unknown> {
  if (method === 'version') return versionInfo;
  if (method === 'about') return args[0] === true ? [aboutText, versionInfo.server_version] : aboutText;
  if (method !== 'login' && method !== 'authenticate') throw noService('common', method);
  const [, login, password] = parsed(shapes.sign, args);
  const user = await ctx.sudo().model(User).byLogin(login);
  if (isBearerToken(ctx, password)) {
    const identity = await bearerIdentity(ctx, password, address);
    return identity !== null && identity.id === user?.id ? identity.id : false;
  }
  const isVerified = user !== null && ctx.get(VerifiedPasswords).has(user, password);
  if (!isVerified && !(await isRight(ctx, user, { password, account: login, address }))) return false;
  if (user) await requirePasswordAlone(ctx, user.id);
  return user?.id ?? false;
}

const aboutText = 'Pergola, a modular website platform. It answers the calls of Odoo 8 and later that its clients use.';

/** Service by which clients look up the database. A site has exactly one, and it can't be managed from outside. */
function database(method: string, args: readonly unknown[]): unknown {
  switch (method) {
    case 'list':
      return [DATABASE];
    case 'db_exist':
      return args[0] === DATABASE;
    case 'server_version':
      return versionInfo.server_version;
    default:
      throw noService('db', method);
  }
}

/**
 * Authenticates a user by password or access token.
 *
 * @throws Unauthenticated; TooMany
 */
async function authenticate(ctx: Ctx, userId: Id, password: string, address: string): Promise<Identity> {
  const identity = isBearerToken(ctx, password)
    ? await bearerIdentity(ctx, password, address)
    : await byPassword(ctx, userId, password, address);
  if (identity?.id === userId) return identity;
  throw new Unauthenticated('Wrong email or password.', { code: 'web.wrong_login', title: 'Access denied' });
}

async function byPassword(ctx: Ctx, userId: Id, password: string, address: string): Promise<Identity | null> {
  // The caller is unknown until the password has been verified.
  const user = await ctx
    .sudo()
    .model(User)
    .first(
      [
        ['id', '=', userId],
        ['active', '=', true],
      ],
      { select: { login: true, password_hash: true, credential_version: true } },
    );
  const isVerified = user !== null && ctx.get(VerifiedPasswords).has(user, password);
  const account = user?.login ?? `#${userId}`;
  if (!isVerified && !(await isRight(ctx, user, { password, account, address }))) return null;
  await requirePasswordAlone(ctx, userId);
  return identityOf(ctx, userId);
}

async function isRight(
  ctx: Ctx,
  user: Verified | null,
  { password, account, address }: { password: string; account: string; address: string },
): Promise<boolean> {
  await takeSignIn(ctx, { account, address });
  const right = await ctx.get(Passwords).verify(user?.password_hash ?? null, password);
  if (!user || !right) {
    await noteFailure(ctx, user?.id ?? null, address);
    return false;
  }
  await giveBackSignIn(ctx, { account, address });
  ctx.get(VerifiedPasswords).add(user, password);
  return true;
}

interface Call {
  readonly uid: Id;
  readonly password: string;
  readonly call: ModelCall;
}

function executeOf(args: readonly unknown[]): Call {
  const [, uid, password, model, method, ...rest] = parsed(shapes.execute, args);
  return { uid, password, call: { model, method, args: rest, kwargs: {} } };
}

function executeKwOf(args: readonly unknown[]): Call {
  const [, uid, password, model, method, byPlace, byName] = parsed(shapes.execute, args);
  return {
    uid,
    password,
    call: {
      model,
      method: method,
      args: parsed(z.array(z.unknown()).max(20), byPlace ?? []),
      kwargs: parsed(keywordArgs, byName ?? {}),
    },
  };
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new NotFound('The service doesn’t accept these arguments.', { code: 'web.bad_service_call' });
}

function noService(service: string, method: string): NotFound {
  return new NotFound('The service “{service}” has no method “{method}”.', {
    code: 'web.no_service',
    params: { service: service.slice(0, 64), method: method.slice(0, 64) },
  });
}
