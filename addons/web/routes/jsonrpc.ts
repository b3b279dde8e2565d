import { route, z } from 'pergola';
import { prepareService, runService, serviceWrites } from '../services/external-calls.ts';

/** Odoo's older endpoint for programs: every call contains login and password, and there is no session. */
const jsonrpc = route.rpc(
  '/jsonrpc',
  {
    name: 'web.jsonrpc',
    input: z.object({
      service: z.string().max(64),
      method: z.string().max(64),
      args: z.array(z.unknown()).max(30).default([]),
    }),
    prepare: ({ ctx, input, request }) => prepareService(ctx, input, request.ip),
    writes: ({ ctx, prepared }) => serviceWrites(ctx, prepared),
  },
  ({ ctx, prepared }) => runService(ctx, prepared),
);

export const jsonrpcRoutes = [jsonrpc];
