import { createLog } from '../../base/index.ts';
import type { ContextOptions } from '../context-options.ts';
import { type ContextEnvironment, Contexts } from '../contexts.ts';

test('Parts complete a request before its work begins', async () => {
  const seen: string[] = [];
  const unit = {
    read: async ({ lang }: ContextOptions) => seen.push(`read ${lang}`),
    write: async ({ lang }: ContextOptions) => seen.push(`write ${lang}`),
  };
  const environment = {
    log: createLog('silent'),
    members: {},
    complete: async () => ({ lang: 'fr_FR' }),
    unit: () => unit,
  };
  const contexts = new Contexts(environment as unknown as ContextEnvironment);
  const options = { lang: 'en_US' } as ContextOptions;
  await contexts.read(options, async () => {});
  await contexts.write(options, async () => {});
  expect(seen).toEqual(['read fr_FR', 'write fr_FR']);
});
