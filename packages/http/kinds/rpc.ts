import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidInput } from '@pergola/core';
import { catalogs, fieldErrors, friendlyErrors, type Translate } from '@pergola/texts';
import type { z } from 'zod';
import { isJson, parseJson } from '../bodies/json-body.ts';
import { type ReceiveOptions, receiveBytes } from '../bodies/receive.ts';
import { Malformed } from '../malformed.ts';
import { pageLangIn } from '../page-context.ts';
import { callRate } from '../rate-limits/rates.ts';
import { sendReady, setHeaders } from '../replies/send.ts';
import type { RequestState } from '../request-state.ts';
import type { Call, HttpParts } from '../routes/call.ts';
import { boundsOf } from './bounds.ts';
import { type Kind, questionOf } from './kind.ts';

/** Contents of the JSON-RPC envelope. */
interface Envelope {
  readonly id: string | number | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Calls in Odoo's envelope (JSON-RPC 2.0, `method` ignored, never a batch): HTTP 200 with `result`, which is present even if null. */
export const rpc: Kind = {
  name: 'rpc',
  methods: ['POST'],
  errors: 'rpc',
  rate: callRate,
  checkOrigin: (call) => call.parts.application.guards.checkSameOrigin(questionOf(call), 'if-present'),
  async read(call) {
    const { req } = call.info;
    if (!isJson(req.headers['content-type'])) {
      throw new Malformed('This address expects JSON-RPC calls: a POST with the content type application/json.', {
        code: 'core.not_a_call',
      });
    }
    const bounds = boundsOf(call);
    const bytes = await receiveBytes(req, call.res, bounds);
    const { params } = openEnvelope(parseJson(bytes, bounds.depth), (id) => {
      call.state.rpcId = id;
    });
    answerInContext(call, params);
    const input = await parseInput(call, params);
    return { extras: { input }, counted: input };
  },
  async answer(call) {
    const { info, parts, res, state } = call;
    setHeaders(res, {
      ...parts.application.guards.securityHeaders('data', info.site.generation),
      'cache-control': 'no-store',
    });
    const result = (await call.run()) ?? null;
    const body = JSON.stringify({ jsonrpc: '2.0', id: state.rpcId, result });
    await sendReady(info.req, res, {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
    });
  },
};

/** Maximum bytes of a call that are read just to get its id. */
const maxIdBytes = 1_000_000;

/** Id of a call that is rejected before it was read (not signed in, too many at once), for the reply. Null if it can't be read. */
export async function idOfRefused(call: Call): Promise<unknown> {
  return idIn(call.info.req, call.res, boundsOf(call), (params) => answerInContext(call, params));
}

/** Id of a call to an address without a route. Null if it can't be read. */
export async function idOfUnknown(
  { intake }: Pick<HttpParts, 'intake'>,
  { ticket, releases }: Pick<RequestState, 'ticket' | 'releases'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<unknown> {
  return idIn(req, res, {
    limit: maxIdBytes,
    depth: 64,
    intake,
    outside: (wait) => ticket.outside(wait),
    whenDone: (release) => releases.push(release),
  });
}

async function idIn(
  req: IncomingMessage,
  res: ServerResponse,
  { depth, ...bounds }: ReceiveOptions & { readonly depth: number },
  read: (params: Envelope['params']) => void = () => {},
): Promise<unknown> {
  if (req.readableDidRead || !isJson(req.headers['content-type'])) return null;
  let callId: unknown = null;
  try {
    const limit = Math.min(bounds.limit, maxIdBytes);
    const { params } = openEnvelope(parseJson(await receiveBytes(req, res, { ...bounds, limit }), depth), (id) => {
      callId = id;
    });
    read(params);
  } catch {
    // The client already gets the reason for the rejection; an unreadable body adds nothing.
  }
  return callId;
}

/** Calls are answered, and rejected, in the language of the calling page. */
function answerInContext(call: Call, params: Envelope['params']): void {
  const pageLang = pageLangIn(params);
  if (pageLang !== null) call.answerIn(pageLang);
}

function openEnvelope(value: unknown, noteId: (id: unknown) => void): Envelope {
  if (Array.isArray(value)) {
    throw new Malformed('Send one call at a time; batches aren’t supported.', { code: 'core.batch_call' });
  }
  if (typeof value !== 'object' || value === null) {
    throw new Malformed('A call must be a JSON object with `params`.', { code: 'core.not_a_call' });
  }
  const { id, params = {} } = value as { id?: unknown; params?: unknown };
  const callId = typeof id === 'string' || typeof id === 'number' ? id : null;
  noteId(callId);
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new InvalidInput('The `params` of a call must be an object of named values.', { code: 'core.bad_params' });
  }
  return { id: callId, params: params as Envelope['params'] };
}

/** Validates the params with the route's schema; a route without one takes none. */
async function parseInput(call: Call, params: Envelope['params']): Promise<unknown> {
  const schema = call.option<z.ZodType>('input');
  if (!schema) return {};
  const { address, site } = call.info;
  const t: Translate = (text, params) =>
    site.generation.get(catalogs).translate(address.lang, call.bound.addon, text, params);
  const parsed = await schema.safeParseAsync(params, { error: friendlyErrors(t) });
  if (parsed.success) return parsed.data;
  const fields = fieldErrors(parsed.error, t);
  const list = Object.entries(fields).map(([name, text]) => (name === '' ? text : `${name}: ${text}`));
  throw new InvalidInput('Invalid call: {problems}', {
    code: 'core.bad_call',
    params: { problems: list.join('; ').slice(0, 1000) },
    fields,
  });
}
