import { type FormBody, isForm, readForm } from '../bodies/form-body.ts';
import { parseJson } from '../bodies/json-body.ts';
import { receiveBytes } from '../bodies/receive.ts';
import { Malformed } from '../malformed.ts';
import { takeRates } from '../rate-limits/rates.ts';
import type { Call } from '../routes/call.ts';
import { readQuery } from '../routes/query.ts';
import type { HttpOptions, ParamSpec } from '../routes/route.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import { boundsOf } from './bounds.ts';
import { runAndSend } from './finish.ts';
import { csrfTokenOf } from './form.ts';
import { isJson } from './rpc.ts';

type Options = HttpOptions<ParamSpec, unknown>;
interface Read {
  readonly body: unknown;
  readonly form: FormBody | null;
}

/** Answers a raw route: query and body are read as it says, then its handler has the word. */
export async function answerHttp(call: Call): Promise<void> {
  const { info, res } = call;
  const posts = info.method === 'POST';
  if (posts) checkOrigin(call);
  await takeRates(call, 'before');
  const schema = call.option<NonNullable<Options['query']>>('query');
  const query = schema ? readQuery(call.query, schema) : plainQuery(call);
  const read = posts ? await readBody(call) : { body: undefined, form: null };
  if (read.form && needsToken(call)) {
    const question = { headers: info.req.headers, origin: info.host.origin };
    call.parts.kernel.guards.checkCsrf(question, info.session, csrfTokenOf(call, read.form));
  }
  await takeRates(call, 'after', read.body);
  await runAndSend(call, { query, body: read.body, files: read.form?.files ?? {}, raw: { req: info.req, res } });
}

/**
 * Whether a POST comes from our own pages, before anything of it is read. What writes has to prove it, unless its content type is one that no other
 * site can send unasked; what only reads must merely not come from elsewhere.
 */
function checkOrigin(call: Call): void {
  if (!isGuarded(call)) return;
  const { req, host } = call.info;
  const provesItself = !call.bound.route.writes || isJson(req.headers['content-type']) || needsToken(call);
  const question = { headers: req.headers, origin: host.origin };
  call.parts.kernel.guards.checkSameOrigin(question, provesItself ? 'if-present' : 'required');
}

function isGuarded(call: Call): boolean {
  return (call.option('csrf') ?? true) === true;
}

/** Forms that write carry a token, like those of form routes. */
function needsToken(call: Call): boolean {
  return isGuarded(call) && call.bound.route.writes && call.option('body') === 'form';
}

async function readBody(call: Call): Promise<Read> {
  const { req } = call.info;
  const bounds = boundsOf(call);
  switch (call.option<Options['body']>('body') ?? 'none') {
    case 'form': {
      const form =
        isForm(req.headers['content-type']) || hasBody(call) ? await readForm(req, call.res, bounds) : noForm();
      return { body: plainFields(form), form };
    }
    case 'json': {
      if (!isJson(req.headers['content-type'])) {
        throw new Malformed('This address takes JSON.', { code: 'core.not_json' });
      }
      return { body: parseJson(await receiveBytes(req, call.res, bounds), bounds.depth), form: null };
    }
    case 'raw':
      return { body: await receiveBytes(req, call.res, bounds), form: null };
    default:
      return { body: undefined, form: null };
  }
}

function hasBody({ info }: Call): boolean {
  const { headers } = info.req;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function noForm(): FormBody {
  return { fields: Object.create(null), files: {} };
}

/** Fields by name: a text, or a list of those that came several times. */
function plainFields({ fields }: FormBody): Readonly<Record<string, string | readonly string[]>> {
  const plain: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, sent] of Object.entries(fields)) {
    if (name !== CSRF_FIELD) plain[name] = sent.length > 1 ? sent : (sent[0] ?? '');
  }
  return plain;
}

function plainQuery(call: Call): Readonly<Record<string, string>> {
  const plain: Record<string, string> = Object.create(null);
  for (const [name, sent] of Object.entries(call.query)) plain[name] = sent.at(-1) ?? '';
  return plain;
}
