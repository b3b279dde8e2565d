import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../client.ts';
import { authorStack } from '../jest/author-stack.ts';

async function thrownBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

const firstCall = (error: unknown): string =>
  /^ +at .*/m.exec(authorStack(Error.isError(error) ? (error.stack ?? '') : ''))?.[0] ?? '';

test('What the test kit refuses names the line of the test first', async () => {
  const error = { code: 200, message: 'Odoo Server Error', data: { name: 'x', message: 'No.', arguments: [] } };
  const server = createServer((_req, res) => res.end(JSON.stringify({ error })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const refusal: unknown = await thrownBy(() => client.rpc('/x'));
  const missing: unknown = await thrownBy(() => client.press('/x', 'a.Island', 'Save'));
  server.close();
  expect(firstCall(missing)).toMatch(/author-stack\.test\.ts/);
  expect(refusal).toMatchObject({ message: 'No.' });
  expect(String((refusal as Error).stack)).toMatch(/^ +at .*client\.ts/m);
  expect(firstCall(refusal)).toMatch(/author-stack\.test\.ts/);
});

test('A stack of the kit alone stays', () => {
  const stack = 'Error: x\n    at a (file:///p/tools/testing/app.ts:1:2)\n    at node:internal/process:1:1';
  expect(authorStack(stack)).toBe(stack);
});
