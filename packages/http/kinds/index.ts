import type { Call } from '../routes/call.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { events } from './events.ts';
import { form } from './form.ts';
import { http } from './http.ts';
import { json } from './json.ts';
import type { Kind } from './kind.ts';
import { mount } from './mount.ts';
import { pages } from './page.ts';
import { rpc } from './rpc.ts';

const kinds: Readonly<Record<RouteDefinition['kind'], Kind>> = { page: pages, form, rpc, json, events, http, mount };

export function kindOf({ bound }: Call): Kind {
  return kinds[bound.route.kind];
}
