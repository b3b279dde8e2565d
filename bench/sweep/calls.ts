import fc from 'fast-check';
import { filled, isCall, isSound, none, type SweepCheck } from './site.ts';

/** How many bodies each route gets; the check asks for 500. */
const BODIES = Number(process.env.SWEEP_BODIES ?? 500);

const names =
  `model method args kwargs id ids domain fields context q name __proto__ constructor value lang product_id line_id
  set_qty add_qty post_id tag email list_id object order limit offset step page team week date start end message content
  token vote country_id data key mods views res_model res_id url`.split(/\s+/);
const odd: readonly unknown[] = [
  -1, 0, 0.5, 1e9, 2 ** 53, 1e308, 'NaN', '5abc', null, true, [], {}, [[]], ['|'], [['id', '=', 1]], [['name', 'ilike', '%']],
  'a'.repeat(5000), '2025-13-45', '\u0000', '\ud800', "' or 1=1 --", '"; drop table x; --', '%27', '../../etc/passwd', '{{7*7}}',
  '<script>x</script>', '\u202e', '𝒳', '💥', '%s%n', 'undefined', '1;2', "1' and sleep(5)#", '$where', '\\', '`id`', '|ls',
]; // biome-ignore format: a list of odd values
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...odd), fc.integer(), fc.string());
const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 });

/** The same bytes with some bits turned. */
function flipped(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(text));
  for (let at = 0; at < bytes.length / 20; at++) {
    const index = Math.floor(Math.random() * bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
  }
  return bytes;
}

const calls: SweepCheck = {
  id: 'C18',
  title: 'Calls that hold anything',
  async run({ routes, app, admin, customer, stranger }) {
    const bad: string[] = [];
    let [tried, slowest] = [0, 0];
    for (const route of routes.filter(isCall)) {
      for (const [at, sample] of fc.sample(params, BODIES).entries()) {
        const text = JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: sample });
        const body =
          at % 10 === 9 ? flipped(text) : at % 10 === 8 ? JSON.stringify(Object.values(sample)[0] ?? null) : text;
        const client = [admin, customer, stranger()][at % 3] ?? admin;
        const path = filled(route.path, at % 5 ? '1' : String(odd[at % odd.length]) || 'x');
        const began = performance.now();
        const answer = await client.post(path, {
          body,
          headers: { 'Content-Type': 'application/json', Origin: app.url },
        });
        slowest = Math.max(slowest, performance.now() - began);
        tried += 1;
        if (!isSound(answer) || /"code": ?500|Internal/.test(answer.text))
          bad.push(`${route.path} ${text.slice(0, 120)}`);
      }
    }
    const limit = { value: `${Math.round(slowest)} ms`, limit: '1000 ms', holds: slowest < 1000 };
    return [none('answers that fail or tell too much', tried, bad), { what: 'slowest answer', ...limit }];
  },
};

const forms: SweepCheck = {
  id: 'C18b',
  title: 'Forms and addresses that hold anything (with C20 and C38)',
  async run({ ask, routes, admin, stranger }) {
    const bad: string[] = [];
    let tried = 0;
    for (const route of routes.filter((route) => !isCall(route) && !/logout|session|account|login/.test(route.path))) {
      for (const [at, one] of odd.entries()) {
        const fields = Object.fromEntries(
          names.map((name, index) => [
            name,
            String(odd[(at + index) % odd.length])
              .slice(0, 150)
              .toWellFormed(),
          ]),
        );
        const path = filled(route.path, at % 3 ? String(1 + (at % 4)) : String(one) || 'x');
        const answer = await ask(at % 2 ? admin : stranger(), route, path, fields);
        tried += 1;
        if (!isSound(answer)) bad.push(`${route.path} ${answer.status}`);
      }
    }
    const polluted = ({} as Record<string, unknown>).value !== undefined ? ['Object.prototype'] : [];
    return [
      none('answers that fail or tell too much', tried, bad),
      none('objects changed for everybody', tried, polluted),
    ];
  },
};

export const callChecks: readonly SweepCheck[] = [calls, forms];
