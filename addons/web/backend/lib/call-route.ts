import { type CallAddress, type CallAt, rpc, type Wire } from 'pergola/browser';
import type { appRpcRoutes } from '../../routes/apps-rpc.ts';
import type { backendRoutes } from '../../routes/backend.ts';
import type { backupRoutes } from '../../routes/backups-rpc.ts';
import type { mailTextRoutes } from '../../routes/mail-texts-rpc.ts';
import type { recordRpcRoutes } from '../../routes/records-rpc.ts';
import type { settingsRpcRoutes } from '../../routes/settings-rpc.ts';
import type { transferRoutes } from '../../routes/transfer.ts';

type BackendRoute = (
  | typeof appRpcRoutes
  | typeof backendRoutes
  | typeof backupRoutes
  | typeof mailTextRoutes
  | typeof recordRpcRoutes
  | typeof settingsRpcRoutes
  | typeof transferRoutes
)[number];
/** Path of a call that the backend's routes declare. */
export type CallPath = CallAddress<BackendRoute>;
export type InputOf<P extends CallPath> = Wire<CallAt<BackendRoute, P>['input']>;
export type ResultOf<P extends CallPath> = Wire<CallAt<BackendRoute, P>['result']>;

/**
 * Calls a route of the backend, which types its input and result.
 *
 * @throws RpcError
 */
export function callRoute<P extends CallPath>(path: P, input: InputOf<P>): Promise<ResultOf<P>>;
export function callRoute(path: string, input: unknown): Promise<unknown> {
  return rpc(path, input as object);
}
