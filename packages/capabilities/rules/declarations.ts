import { type Sentence, sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import { constantText } from '../constants.ts';
import { type CallNode, isCall, keyOf, propertyOf, unwrapped } from '../syntax.ts';
import { modelsIn, type Rule, type RuleInput } from './rule.ts';

/** Registrations with Pergola: routes, models, groups, settings, jobs and email. */
export const declarations: Rule = (node, input) => {
  if (isCall(node)) {
    for (const origin of input.origins.of(node.callee)) {
      const [, name = ''] = /^(?:pergola(?:\/\w+)?|@pergola\/\w+)#(.+)$/.exec(origin) ?? [];
      if (name.startsWith('route.')) routed(node, name.slice('route.'.length), input);
      else if (Object.hasOwn(declared, name)) declared[name]?.(node, input);
      if (/^express(#|$)/.test(origin))
        input.report(node, 'express', sentence('Handles requests with Express'), 'medium');
    }
  }
  if (node.type === 'Property') property(node, input);
};

/** Stands for a name that isn't known before the code runs. */
const UNKNOWN = '…';

type Declared = (node: CallNode, input: RuleInput) => void;

const argument = (node: CallNode, index: number): Node | undefined => node.arguments[index] as Node | undefined;
const nameAt = (node: CallNode, index: number, { code }: RuleInput): string =>
  constantText(code, argument(node, index)) ?? UNKNOWN;

const declared: Readonly<Record<string, Declared>> = {
  model: (node, input) =>
    input.report(node, 'model', sentence('Adds {model}', { model: nameAt(node, 0, input) }), 'low'),
  extend: (node, input) => {
    const methods = overridden(node);
    for (const model of modelsIn(argument(node, 0), input))
      input.report(node, 'model', extension(model, methods), methods.length > 0 ? 'medium' : 'low');
  },
  extendService: (node, input) =>
    input.report(
      node,
      'module',
      sentence('Changes the service {service}', { service: serviceName(argument(node, 0), input) }),
      'medium',
    ),
  extendRoute: (node, input) =>
    input.report(node, 'route', sentence('Changes the route {route}', { route: nameAt(node, 0, input) }), 'medium'),
  group: (node, input) => {
    const implied = textsOf(propertyOf(argument(node, 1), 'implies'), input);
    const group = nameAt(node, 0, input);
    const isAdministrator = implied.some(
      (name) => /^base\.group_(system|erp_manager)$/.test(name) && !name.startsWith(`${input.addon.name}.`),
    );
    input.report(
      node,
      'group',
      implied.length > 0
        ? sentence('Adds the group {group}, with {implied}', { group, implied: implied.join(', ') })
        : sentence('Adds the group {group}', { group }),
      isAdministrator ? 'high' : 'low',
    );
  },
  access: (node, input) => {
    const rights = argument(node, 1);
    const open = ['*', 'base.group_public']
      .map((group) => constantText(input.code, propertyOf(rights, group)) ?? '')
      .join('');
    for (const model of modelsIn(argument(node, 0), input)) {
      const isOwn = model !== null && input.addon.models.has(model);
      const shown = { model: model ?? UNKNOWN };
      if (/[wcd]/.test(open)) input.report(node, 'group', sentence('Lets everyone change {model}', shown), 'high');
      else if (open.includes('r'))
        input.report(node, 'group', sentence('Lets everyone read {model}', shown), isOwn ? 'low' : 'high');
      input.report(node, 'group', sentence('Sets rights on {model}', shown), isOwn ? 'low' : 'medium');
    }
  },
  rule: (node, input) => {
    for (const model of modelsIn(argument(node, 1), input))
      input.report(
        node,
        'group',
        sentence('Sets who sees which records of {model}', { model: model ?? UNKNOWN }),
        model !== null && input.addon.models.has(model) ? 'low' : 'medium',
      );
  },
  setting: (node, input) => {
    const isSecret = propertyOf(argument(node, 3), 'secret') !== undefined;
    const name = nameAt(node, 0, input);
    if (isSecret)
      input.report(node, 'secret', sentence('Keeps the secret setting {setting}', { setting: name }), 'medium');
    else input.report(node, 'setting', sentence('Adds the setting {setting}', { setting: name }), 'low');
  },
  job: (node, input) => {
    const cron = constantText(input.code, propertyOf(argument(node, 1), 'cron'));
    const name = nameAt(node, 0, input);
    const what = cron
      ? sentence('Runs {job} in the background, at {times}', { job: name, times: cron })
      : sentence('Runs {job} in the background', { job: name });
    input.report(node, 'job', what, 'low');
  },
  mail: (node, input) =>
    input.report(node, 'mail', sentence('Sends the email {mail}', { mail: nameAt(node, 0, input) }), 'low'),
  sendMail: (node, input) => input.report(node, 'mail', sentence('Sends email past the outbox'), 'high'),
  openMailTransport: (node, input) => input.report(node, 'mail', sentence('Sends email past the outbox'), 'high'),
  action: (node, input) => routed(node, 'action', input),
  data: (node, input) => {
    for (const model of modelsIn(argument(node, 0), input))
      if (model !== null && !input.addon.models.has(model) && /^res\.(users|groups)$/.test(model))
        input.report(
          node,
          'group',
          sentence('Ships records of {model}', { model }),
          grantsRights(node, input) ? 'high' : 'medium',
        );
  },
  unseal: (node, input) => input.report(node, 'secret', sentence('Decrypts secrets'), 'medium'),
};

function extension(name: string | null, methods: readonly string[]): Sentence {
  const model = name ?? UNKNOWN;
  return methods.length > 0
    ? sentence('Extends {model} and changes {methods}', { model, methods: methods.join(', ') })
    : sentence('Extends {model}', { model });
}

/** Names of methods that the class of an extension overrides or adds. */
function overridden(node: CallNode): readonly string[] {
  const layer = node.arguments
    .map((each) => unwrapped(each as Node))
    .find(({ type }) => type === 'ArrowFunctionExpression');
  if (layer?.type !== 'ArrowFunctionExpression') return [];
  const { body } = layer;
  const built =
    body.type === 'BlockStatement'
      ? body.body.flatMap((statement) =>
          statement.type === 'ReturnStatement' && statement.argument ? [statement.argument] : [],
        )[0]
      : unwrapped(body);
  if (built?.type !== 'ClassExpression') return [];
  return built.body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && 'override' in member && member.override ? (keyOf(member) ?? []) : [],
  );
}

function serviceName(service: Node | undefined, { origins }: RuleInput): string {
  return [...origins.of(service)].map((origin) => origin.split('#')[1])[0] ?? UNKNOWN;
}

/** Texts of a list literal. */
function textsOf(list: Node | undefined, { code }: RuleInput): readonly string[] {
  const literal = list ? unwrapped(list) : undefined;
  return literal?.type === 'ArrayExpression'
    ? literal.elements.flatMap((element) => constantText(code, element as Node) ?? [])
    : [];
}

/** Whether shipped records mention a group of administrators. */
function grantsRights(node: CallNode, { code }: RuleInput): boolean {
  return code.nodes.some(
    (each) =>
      each.start >= node.start &&
      each.end <= node.end &&
      /^base\.group_(system|erp_manager)$/.test(constantText(code, each) ?? ''),
  );
}

function routeSentence(path: string, isPublic: boolean, writes: boolean): Sentence {
  if (isPublic)
    return writes ? sentence('{path} writes for anyone', { path }) : sentence('{path} answers anyone', { path });
  return writes
    ? sentence('{path} writes for signed-in users', { path })
    : sentence('{path} answers signed-in users', { path });
}

/** Reports a route: its address, who may call it, and whether it writes. */
function routed(node: CallNode, kind: string, input: RuleInput): void {
  const { code, report } = input;
  const args = node.arguments as Node[];
  const path = constantText(code, args[0]) ?? UNKNOWN;
  const options = args.find((each) => unwrapped(each).type === 'ObjectExpression');
  const isPublic = constantText(code, propertyOf(options, 'auth')) !== 'user';
  const writes = kind === 'form' || kind === 'action' ? true : isTrue(propertyOf(options, 'writes'));
  if (kind === 'mount') report(node, 'express', sentence('Hands requests to {path} to Express', { path }), 'medium');
  report(node, 'route', routeSentence(path, isPublic, writes), writes && isPublic ? 'medium' : 'low');
  if (propertyOf(options, 'csrf') && !isTrue(propertyOf(options, 'csrf')))
    report(node, 'route', sentence('{path} accepts requests from other sites', { path }), 'medium');
  if (isTrue(propertyOf(options, 'bearer')))
    report(node, 'route', sentence('{path} accepts access tokens', { path }), 'low');
}

function isTrue(node: Node | undefined): boolean {
  return node?.type === 'Literal' && node.value === true;
}

/** Members of an addon's definition that decide for the whole site. */
const definitionMembers: Readonly<Record<string, readonly [kind: 'route' | 'network' | 'mail', what: Sentence]>> = {
  identity: ['route', sentence('Decides who is signed in')],
  bearer: ['route', sentence('Decides whose access tokens are valid')],
  fallbacks: ['route', sentence('Answers addresses that no route has')],
  outboxGuards: ['mail', sentence('Decides which emails are sent')],
  outboxListeners: ['mail', sentence('Sees every email that is sent')],
};

function property(node: Extract<Node, { type: 'Property' }>, input: RuleInput): void {
  const { code, report } = input;
  const key = keyOf(node) ?? '';
  const call = code.parentOf(code.parentOf(node) ?? node);
  const isDefinition = isCall(call) && input.origins.some(call.callee, (origin) => /#defineAddon$/.test(origin));
  const decision = isDefinition && Object.hasOwn(definitionMembers, key) ? definitionMembers[key] : undefined;
  if (decision) report(node, ...decision, 'medium');
  if (isDefinition && key === 'cspSources')
    report(node, 'network', sentence('Lets pages load from other hosts'), 'medium');
  // `secret: true` of a field; of a setting, it is the fourth argument.
  if (key === 'secret' && isTrue(node.value as Node))
    report(node, 'secret', sentence('Keeps secrets in its records or settings'), 'low');
}
