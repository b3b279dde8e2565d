import type { FormLimits } from '../bodies/form-body.ts';
import type { Call } from '../routes/call.ts';
import type { RouteLimit } from '../routes/route.ts';

const MB = 1024 * 1024;

/** Request limits of a route. Default: 1 MB plus the size of its files, 1,000 fields, depth 64. */
export function boundsOf(call: Call): FormLimits & { readonly depth: number } {
  const limit = call.option<RouteLimit>('limit') ?? {};
  const files = call.option<Readonly<Record<string, number>>>('files') ?? {};
  const defaultBytes = Object.values(files).reduce((sum, bytes) => sum + bytes, MB);
  const bytes = limit.bytes ?? defaultBytes;
  return {
    limit: call.info.identity.id === null ? bytes : (limit.signedIn ?? bytes),
    fields: limit.fields ?? 1000,
    depth: limit.depth ?? 64,
    files,
    intake: call.parts.intake,
    outside: (wait) => call.ticket.outside(wait),
    whenDone: (release) => call.state.releases.push(release),
  };
}
