import {
  type Ctx,
  errorFields,
  errorText,
  InvalidInput,
  NotAllowed,
  PergolaError,
  reply,
  route,
  Unauthenticated,
  z,
} from 'pergola';
import { callRate } from 'pergola/http';
import { type PreparedCall, prepareService, runService, serviceWrites } from '../services/external-calls.ts';
import { readXmlCall, writeXmlAnswer, writeXmlFault } from '../services/xml-rpc.ts';

/** The prepared call, or the error that prevented it. */
type Prepared = PreparedCall | { readonly kind: 'refused'; readonly error: PergolaError };

/** Odoo's fault codes, which its clients rely on. */
const faults = { unknownMethod: 1, refused: 2, unknownCaller: 3, noAccess: 4 } as const;
/** Error codes of calls to unknown models and methods. */
const unknown: ReadonlySet<string> = new Set(['core.no_method', 'core.no_model', 'web.no_service']);

/** Odoo's oldest endpoints for programs, `/xmlrpc/2/object`, `/xmlrpc/2/common` and `/xmlrpc/2/db`: the services of `/jsonrpc` as XML. */
const xmlrpc = (path: string, name: string) =>
  route.http(
    path,
    {
      name,
      method: 'POST',
      body: 'raw',
      params: { service: z.enum(['common', 'db', 'object']) },
      limit: { bytes: 12 * 1024 * 1024 },
      rate: callRate,
      csrf: { off: 'Programs call it: login and password come with every call, and no cookie counts.' },
      prepare: async ({ ctx, params: { service }, body, request }): Promise<Prepared> => {
        try {
          const { method, params } = readXmlCall(body instanceof Uint8Array ? new TextDecoder().decode(body) : '');
          return await prepareService(ctx, { service, method, args: params }, request.ip);
        } catch (error) {
          if (error instanceof PergolaError) return { kind: 'refused', error };
          throw error;
        }
      },
      writes: ({ ctx, prepared }) => prepared.kind !== 'refused' && serviceWrites(ctx, prepared),
    },
    async ({ ctx, prepared }) => {
      if (prepared.kind === 'refused') return faultOf(ctx, prepared.error);
      // Rolls back anything written before an error.
      const work = async () => writeXmlAnswer(await runService(ctx, prepared));
      try {
        return reply.body(await (ctx.writes ? ctx.savepoint(work) : work()), 'text/xml; charset=utf-8');
      } catch (error) {
        if (error instanceof PergolaError) return faultOf(ctx, error);
        throw error;
      }
    },
  );

function codeOf(error: PergolaError): number {
  if (error instanceof Unauthenticated) return faults.unknownCaller;
  if (error instanceof NotAllowed) return faults.noAccess;
  return unknown.has(error.code) ? faults.unknownMethod : faults.refused;
}

/** Here, an error is a regular response that contains the reason. */
function faultOf(ctx: Ctx, error: PergolaError) {
  const fields =
    error instanceof InvalidInput
      ? Object.entries(errorFields(ctx, error)).map(([name, text]) => `${name}: ${text}`)
      : [];
  const text = [errorText(ctx, error), ...fields].join('\n');
  return reply.body(writeXmlFault(codeOf(error), text), 'text/xml; charset=utf-8');
}

export const xmlrpcRoutes = [xmlrpc('/xmlrpc/2/:service', 'web.xmlrpc'), xmlrpc('/xmlrpc/:service', 'web.xmlrpc_1')];
