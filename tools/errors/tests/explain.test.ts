import { command } from '../../cli/commands/explain.ts';

async function explain(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const io = { out: say, err: say, confirm: async () => false, secret: async () => null };
  const code = await command.run({ words, options: {}, io });
  return { code, said: lines.join('\n') };
}

test('An error is explained by its code, near ones are named where there is none, and all are listed by addon', async () => {
  expect(await explain('core.port_taken')).toEqual({
    code: 0,
    said: 'core.port_taken\n\nAnother process is listening on the port.\n\n→ Stop it, or set `PORT` to another number.',
  });
  expect(await explain('core.port_takn')).toMatchObject({
    code: 1,
    said: expect.stringContaining(': core.port_taken,'),
  });
  const { said } = await explain();
  expect(said).toMatch(/^core\n {2}core\.access_denied +\S.*^forum\n {2}forum\.anonymous_user/ms);
});
