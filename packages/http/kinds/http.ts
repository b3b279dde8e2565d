import { type FormBody, isForm, readForm } from '../bodies/form-body.ts';
import { isJson, parseJson } from '../bodies/json-body.ts';
import { hasBody, receiveBytes } from '../bodies/receive.ts';
import { Malformed } from '../malformed.ts';
import type { Call } from '../routes/call.ts';
import { readQuery } from '../routes/query.ts';
import type { HttpOptions, ParamSpec } from '../routes/route.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import { boundsOf } from './bounds.ts';
import { csrfTokenOf } from './form.ts';
import { isGuarded, type Kind, questionOf, type RouteFault } from './kind.ts';

type Options = HttpOptions<ParamSpec, unknown>;
interface ReadBody {
  readonly body: unknown;
  readonly form: FormBody | null;
}

/** Raw routes: query and body are read as declared, everything else is up to the handlers. */
export const http: Kind = {
  name: 'http',
  methods: [],
  hasToken: ({ options }) => options.body === 'form',
  faults: ({ methods, options }) => {
    const faults: RouteFault[] = [];
    if (options.files && options.body !== 'form')
      faults.push(['takes files but does not read its body as a form.', "Set `body: 'form'`."]);
    if (methods.length === 0) faults.push(['has no method.', "Set `method: 'GET'` or `'POST'`."]);
    return faults;
  },
  checkOrigin(call) {
    if (call.info.method === 'POST') checkOrigin(call);
  },
  async read(call) {
    const schema = call.option<NonNullable<Options['query']>>('query');
    const query = schema ? readQuery(call.query, schema) : plainQuery(call);
    const { body, form } = call.info.method === 'POST' ? await readBody(call) : { body: undefined, form: null };
    if (form && needsToken(call))
      call.parts.application.guards.checkCsrf(questionOf(call), call.info.session, csrfTokenOf(call, form));
    const raw = { req: call.info.req, res: call.res };
    return { extras: { query, body, files: form?.files ?? {}, raw }, counted: body };
  },
};

/**
 * Checks that a POST comes from this site before reading any of it. Writing requests have to prove it, unless their content type is one
 * that other sites can't send without a preflight; reading requests must merely not come from elsewhere.
 */
function checkOrigin(call: Call): void {
  if (!isGuarded(call)) return;
  const { req } = call.info;
  const provesItself = !call.bound.route.writes || isJson(req.headers['content-type']) || needsToken(call);
  call.parts.application.guards.checkSameOrigin(questionOf(call), provesItself ? 'if-present' : 'required');
}

/** Writing forms carry a token, as on form routes. */
function needsToken(call: Call): boolean {
  return isGuarded(call) && call.bound.route.writes && call.option('body') === 'form';
}

async function readBody(call: Call): Promise<ReadBody> {
  const { req } = call.info;
  const bounds = boundsOf(call);
  switch (call.option<Options['body']>('body') ?? 'none') {
    case 'form': {
      const form =
        isForm(req.headers['content-type']) || hasBody(req) ? await readForm(req, call.res, bounds) : noForm();
      return { body: plainFields(form), form };
    }
    case 'json': {
      if (!isJson(req.headers['content-type'])) {
        throw new Malformed('This address expects JSON.', { code: 'core.not_json' });
      }
      return { body: parseJson(await receiveBytes(req, call.res, bounds), bounds.depth), form: null };
    }
    case 'raw':
      return { body: await receiveBytes(req, call.res, bounds), form: null };
    default:
      return { body: undefined, form: null };
  }
}

function noForm(): FormBody {
  return { fields: Object.create(null), files: {} };
}

/** Fields by name: a text, or a list if the field was sent several times. */
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
