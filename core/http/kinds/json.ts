import { type Call, Elsewhere, runHandler } from '../call.ts';
import { readQuery } from '../query.ts';
import { takeRates } from '../rates.ts';
import { reply } from '../route.ts';
import { nothingBeside, type PlainReply, sendReply } from '../send-reply.ts';

/** Answers a GET with bare JSON. */
export async function answerJson(call: Call): Promise<void> {
  await takeRates(call, 'before');
  const query = readQuery(call.query, call.option<Parameters<typeof readQuery>[1]>('query'));
  await takeRates(call, 'after', query);
  try {
    const { value, outcome, cookies } = await runHandler(call, { query });
    await sendReply(call, reply.json(value ?? null) as PlainReply, { cookies, headers: outcome.headers });
  } catch (error) {
    if (!(error instanceof Elsewhere)) throw error;
    await sendReply(call, error.reply as PlainReply, nothingBeside);
  }
}
