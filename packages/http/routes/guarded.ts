import type { GuardedCall } from '@pergola/cluster';
import type { RequestInfo } from '../request-info.ts';
import { networkOf } from '../security/hosts-address.ts';

/** A request as breakers distinguish it: by its visitor, and its address with further input. */
export function guardedCall({ ip, address, target }: RequestInfo, input: unknown = null): GuardedCall {
  return { visitor: networkOf(ip), input: [address.path, target.query, input] };
}
