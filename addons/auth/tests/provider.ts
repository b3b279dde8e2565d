import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import Provider from 'oidc-provider';

export const SECRET = 'a secret between the site and its provider';

/** What a provider says of its accounts, by what it calls them. */
export type Accounts = Record<string, { email: string; email_verified: boolean }>;

export interface TestProvider {
  readonly issuer: string;
  close(): void;
}

/** A provider for one site, which lets everybody in under whatever login they type. */
export async function startProvider(callback: string, accounts: Accounts): Promise<TestProvider> {
  // It says at length that this is no way to run one.
  for (const way of ['warn', 'info'] as const) jest.spyOn(console, way).mockImplementation(() => {});
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'pergola', client_secret: SECRET, redirect_uris: [callback] }],
    findAccount: async (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts[sub] }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['test'] },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
