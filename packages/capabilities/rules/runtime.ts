import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isInside, type Sentence, sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import type { Risk } from '../capability.ts';
import { constantText, initialValue, knownText, memberKey } from '../constants.ts';
import { isRequire, runsAtLoad } from '../origins.ts';
import { type CallNode, isCall, propertyOf, unwrapped } from '../syntax.ts';
import type { Rule, RuleInput } from './rule.ts';

/** Uses of what Node and browsers offer: the network, processes, files, modules, and code built from text. */
export const runtime: Rule = (node, input) => {
  if (node.type === 'ImportExpression') loaded(node, node.source, input);
  else if (isImport(node)) imported(node, input);
  if (isCall(node)) called(node, input);
  if (isReference(node, input)) referred(node, input);
};

/** Functions that contact other hosts; the position of the argument with the address. */
const outgoing = new Map([
  ['global:fetch', 0],
  ['global:WebSocket', 0],
  ['global:EventSource', 0],
  ['global:WebTransport', 0],
  ['global:XMLHttpRequest', -1],
  ['global:RTCPeerConnection', -1],
  ['global:navigator.sendBeacon', 0],
  ...['http', 'https'].flatMap((name): [string, number][] => [
    [`node:${name}#request`, 0],
    [`node:${name}#get`, 0],
  ]),
  ...['connect', 'createConnection', 'Socket'].map((name): [string, number] => [`node:net#${name}`, -1]),
  ['node:tls#connect', -1],
  ['node:tls#TLSSocket', -1],
  ['node:http2#connect', 0],
  ['node:dgram#createSocket', -1],
]);
const listening = /^node:(http|https|http2|net|tls)#create(Secure)?Server$/;
const timers =
  /^(global:|node:timers#)(setInterval|setTimeout|setImmediate|queueMicrotask|promises\.\w+)$|^global:process\.nextTick$/;

/** Node modules that need no further look. The uses of `fs`, `http` and the like are reported where they are used. */
const harmless = new Set(
  (
    'assert async_hooks buffer console constants crypto events path perf_hooks punycode querystring stream string_decoder timers tty url ' +
    'util zlib fs http https net tls http2 dgram'
  ).split(' '),
);

/** Members of `process` that reveal and change nothing. */
const harmlessProcess = new Set(
  (
    'platform version versions arch hrtime nextTick memoryUsage uptime cwd stdout stderr emitWarning pid cpuUsage release getuid title ' +
    'resourceUsage features constrainedMemory availableMemory'
  ).split(' '),
);

function isImport(
  node: Node,
): node is Extract<Node, { type: 'ImportDeclaration' | 'ExportAllDeclaration' | 'ExportNamedDeclaration' }> {
  return ['ImportDeclaration', 'ExportAllDeclaration', 'ExportNamedDeclaration'].includes(node.type);
}

function imported(node: Node, input: RuleInput): void {
  if (!isImport(node) || !node.source) return;
  const isType = node.type === 'ImportDeclaration' ? node.importKind === 'type' : node.exportKind === 'type';
  if (isType) return;
  const specifiers = 'specifiers' in node ? node.specifiers : [];
  const isOnlyTypes =
    specifiers.length > 0 && specifiers.every((each) => 'importKind' in each && each.importKind === 'type');
  if (!isOnlyTypes) moduleUse(node, node.source.value, input);
  const passedOn = /^(node:)?(fs|child_process|vm|net|http|https)(\/promises)?$/.test(node.source.value);
  if (node.type !== 'ImportDeclaration' && passedOn)
    input.report(node, 'code', sentence('Passes on all of {module}', { module: node.source.value }), 'high');
}

/** Reports a module that is loaded by an expression. */
function loaded(node: Node, source: Node | undefined, input: RuleInput): void {
  const known = knownText(input.code, source);
  if (known?.isWhole) moduleUse(node, known.text, input);
  else {
    // `require(`pdfmake/js/${name}.js`)` stays in the package.
    const [, packageName] = /^((?:@[\w-]+\/)?[a-z][\w.-]*)\/[\w/.-]*$/i.exec(known?.text ?? '') ?? [];
    if (packageName && !isBuiltin(packageName))
      input.report(
        node,
        'package',
        sentence('Loads parts of {package} chosen at run time', { package: packageName }),
        'medium',
      );
    else input.report(node, 'code', sentence('Loads a module whose name is computed at run time'), 'high');
  }
}

/** Reports the import of a module by its name. */
function moduleUse(node: Node, specifier: string, { code, report, addon }: RuleInput): void {
  if (/^(data|blob|https?):/.test(specifier)) {
    report(
      node,
      'code',
      specifier.startsWith('http')
        ? sentence('Loads code from {address}', { address: specifier })
        : sentence('Runs code built from text'),
      'high',
    );
    return;
  }
  const name = builtinName(specifier);
  if (name === null) {
    if (specifier.startsWith('.') || isAbsolute(specifier) || specifier.startsWith('file:')) {
      const path = specifier.startsWith('file:')
        ? specifier.slice(7)
        : join(isAbsolute(specifier) ? '' : dirname(code.path), specifier);
      if (!isInside(addon.folder, path))
        report(node, 'module', sentence('Loads a file outside of its folder: {file}', { file: specifier }), 'high');
    }
    return;
  }
  const [base = ''] = name.split('/');
  if (base === 'child_process') report(node, 'process', sentence('Starts other programs'), 'high');
  else if (base === 'cluster') report(node, 'process', sentence('Starts further server processes'), 'high');
  else if (base === 'worker_threads') report(node, 'process', sentence('Uses threads'), 'low');
  else if (base === 'vm' || base === 'repl') report(node, 'code', sentence('Runs code built from text'), 'high');
  else if (base === 'inspector') report(node, 'code', sentence('Debugs the running server'), 'high');
  else if (base === 'wasi') report(node, 'code', sentence('Runs WebAssembly programs'), 'high');
  else if (base === 'sqlite') report(node, 'sql', sentence('Opens databases of its own'), 'high');
  else if (base === 'dns') report(node, 'network', sentence('Looks up host names'), 'low');
  else if (['module', 'os', 'v8', 'diagnostics_channel', 'trace_events'].includes(base))
    report(node, 'module', sentence('Uses {module}', { module: `node:${name}` }), base === 'os' ? 'low' : 'medium');
  else
    report(node, 'module', sentence('Uses {module}', { module: `node:${name}` }), harmless.has(base) ? 'low' : 'high');
}

/** Name of a module of Node without its prefix; null for other modules. */
function builtinName(specifier: string): string | null {
  return specifier.startsWith('node:') || isBuiltin(specifier) ? specifier.replace(/^node:/, '') : null;
}

/** Whether a node names a value, alone or as a whole chain of members: `a.b.c`, but not the `a.b` in it. */
function isReference(node: Node, { code }: RuleInput): boolean {
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return false;
  const parent = code.parentOf(node);
  if (!parent || /^TS(?!As|Satisfies|NonNull|Instantiation|TypeAssertion)/.test(parent.type)) return false;
  switch (parent.type) {
    case 'MemberExpression':
      return parent.property === node && parent.computed;
    case 'Property':
      return parent.value === node && !(code.parentOf(parent)?.type === 'ObjectPattern');
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.value === node;
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'LabeledStatement':
    case 'ClassDeclaration':
    case 'FunctionDeclaration':
      return false;
    case 'VariableDeclarator':
      return parent.init === node;
    case 'UnaryExpression':
      return parent.operator !== 'typeof';
    default:
      return true;
  }
}

/** Reports uses of values that are dangerous however they are used: called, passed on or assigned. */
function referred(node: Node, input: RuleInput): void {
  const { code, origins, report } = input;
  const parent = code.parentOf(node);
  const call = isCall(parent) && unwrapped(parent.callee) === node ? parent : null;
  const isWrite = parent?.type === 'AssignmentExpression' && parent.left === node;
  for (const origin of origins.of(node)) {
    const risky = (risk: Risk): Risk => (runsAtLoad(code, node) ? 'high' : risk);
    const position = outgoing.get(origin);
    if (isWrite) continue;
    if (position !== undefined) contacted(node, call, position, input);
    else if (listening.test(origin)) report(node, 'network', sentence('Listens on a port of its own'), 'high');
    else if (timers.test(origin) && runsAtLoad(code, node) && code.runsOn !== 'browser')
      report(node, 'code', sentence('Starts a timer as soon as its file is loaded'), 'high');
    else if (origin === 'global:eval' || /^global:(Async|Generator|AsyncGenerator)?Function$/.test(origin)) {
      if (origin === 'global:eval' || parent?.type !== 'BinaryExpression')
        report(node, 'code', sentence('Runs code built from text'), 'high');
    } else if (origin.startsWith('global:WebAssembly'))
      report(
        node,
        'code',
        sentence('Runs WebAssembly programs, which can only call what the code gives them'),
        'medium',
      );
    else if (origin.startsWith('global:process')) processUse(node, origin, input);
    else if (origin.startsWith('global:importScripts'))
      report(node, 'code', sentence('Loads scripts at run time'), 'high');
    else if (origin.startsWith('node:fs#')) fileUse(node, call, origin, risky, input);
    else if (/^node:module#(register|registerHooks|_\w+|Module|syncBuiltinESMExports)/.test(origin))
      report(node, 'module', sentence('Changes how modules are loaded'), 'high');
    else if (/^node:v8#(setFlagsFromString|startupSnapshot|deserialize)/.test(origin))
      report(node, 'process', sentence('Changes settings of the running server'), 'high');
    else if (isRequire(origin) && call === null)
      report(node, 'code', sentence('Loads modules whose names are computed at run time'), 'high');
  }
  if (node.type === 'MemberExpression') memberUse(node, input);
}

/** Reports members that are chosen at run time, and ways to a constructor of functions. */
function memberUse(node: Extract<Node, { type: 'MemberExpression' }>, { code, origins, report }: RuleInput): void {
  const base = [...origins.of(node.object)];
  const key = memberKey(code, node);
  const isOpen = (origin: string): boolean =>
    origin === 'global:' || origin === 'global:process' || /^node:(?!crypto|path|url|util|zlib)[\w/]+$/.test(origin);
  if (key === undefined && base.some(isOpen))
    report(node, 'code', sentence('Reaches a global or a module’s member by a name computed at run time'), 'high');
  if (key !== 'constructor') return;
  const parent = code.parentOf(node);
  const isCalled = parent?.type === 'CallExpression' && unwrapped(parent.callee) === node;
  const object = unwrapped(node.object);
  const isChain = object.type === 'MemberExpression' && memberKey(code, object) === 'constructor';
  const ofFunction =
    object.type === 'CallExpression' &&
    origins.some(object.callee, (origin) => origin === 'global:Object.getPrototypeOf');
  if (isCalled || isChain || ofFunction || node.computed)
    report(node, 'code', sentence('Runs code built from text'), 'high');
}

function called(node: CallNode, input: RuleInput): void {
  const { code, origins, report } = input;
  const [first, second] = node.arguments as Node[];
  for (const origin of origins.of(node.callee)) {
    if (isRequire(origin) || origin === 'global:process.getBuiltinModule') loaded(node, first, input);
    if (/^(global:|node:timers#)set(Timeout|Interval)$/.test(origin) && knownText(code, first))
      report(node, 'code', sentence('Runs code built from text'), 'high');
    if (
      origin === 'global:Reflect.get' &&
      constantText(code, second) === undefined &&
      origins.some(first, (base) => /^(global:|node:)/.test(base))
    )
      report(node, 'code', sentence('Reaches a global or a module’s member by a name computed at run time'), 'high');
    if (/^(node:worker_threads#|global:)Worker$/.test(origin)) {
      const isText =
        propertyOf(second, 'eval') !== undefined || /^(data|blob):/.test(knownText(code, first)?.text ?? '');
      if (isText) report(node, 'code', sentence('Runs code built from text in a thread'), 'high');
    }
  }
}

/** Reports a contacted host, or that it may be any. */
function contacted(node: Node, call: CallNode | null, position: number, { code, origins, report }: RuleInput): void {
  const isBrowser = code.runsOn === 'browser' || origins.some(node, (origin) => origin.startsWith('global:navigator'));
  const argument = call && position >= 0 ? (call.arguments[position] as Node | undefined) : undefined;
  const address = knownText(code, argument) ?? hostOption(argument, code);
  const host = address && hostIn(address.text, address.isWhole);
  // An address of the site itself; Node's `fetch` has no such addresses.
  if (address && /^\/(?!\/)./.test(address.text)) return;
  const atLoad = runsAtLoad(code, node) && !isBrowser;
  if (host) report(node, 'network', hostSentence(host, isBrowser, atLoad), atLoad ? 'high' : 'medium');
  else if (isBrowser)
    report(
      node,
      'network',
      sentence('Sends requests from visitors’ browsers, as far as the content security policy allows'),
      'low',
    );
  else
    report(
      node,
      'network',
      atLoad
        ? sentence('Contacts hosts chosen at run time as soon as its file is loaded')
        : sentence('Contacts hosts chosen at run time'),
      code.runsOn === 'island' ? 'medium' : 'high',
    );
}

function hostSentence(host: string, isBrowser: boolean, atLoad: boolean): Sentence {
  if (isBrowser) return sentence('Makes visitors’ browsers contact {host}', { host });
  return atLoad
    ? sentence('Contacts {host} as soon as its file is loaded', { host })
    : sentence('Contacts {host}', { host });
}

/** `host` or `hostname` of the options of `http.request` and the like. */
function hostOption(argument: Node | undefined, code: RuleInput['code']) {
  const host = knownText(code, propertyOf(argument, 'hostname') ?? propertyOf(argument, 'host'));
  return host?.isWhole ? { text: `http://${host.text}/`, isWhole: true } : undefined;
}

function hostIn(address: string, isWhole: boolean): string | null {
  const [, host = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  // An address cut within its host may continue: `https://api.` + name.
  if (host === '' || (!isWhole && rest === '')) return null;
  return host.replace(/^.*@/, '').toLowerCase();
}

function processUse(node: Node, origin: string, { code, report }: RuleInput): void {
  const [, name = '', variable = ''] = /^global:process\.?([^.]*)\.?(.*)$/.exec(origin) ?? [];
  if (name === '') {
    report(node, 'process', sentence('Uses the server’s process object'), 'medium');
    return;
  }
  if (harmlessProcess.has(name)) return;
  if (name === 'env') {
    const parent = code.parentOf(node);
    const isChange = parent?.type === 'AssignmentExpression' && parent.left === node;
    if (isChange) report(node, 'process', sentence('Changes environment variables of the server'), 'high');
    else if (variable === 'NODE_ENV') return;
    else
      report(
        node,
        'secret',
        variable
          ? sentence('Reads the environment variable {name}', { name: variable })
          : sentence('Reads the server’s environment variables'),
        'high',
      );
  } else if (name === 'getBuiltinModule') return;
  else if (['binding', '_linkedBinding', 'dlopen', 'mainModule'].includes(name))
    report(node, 'code', sentence('Reaches internals of Node'), 'high');
  else if (name === 'argv' || name === 'execPath' || name === 'exitCode')
    report(node, 'process', sentence('Uses {member}', { member: `process.${name}` }), 'low');
  else
    report(
      node,
      'process',
      sentence('Uses {member}', { member: `process.${name}` }),
      ['on', 'once', 'off', 'emit'].includes(name) ? 'medium' : 'high',
    );
}

const changing =
  /^(promises\.)?(write|append|cp|copyFile|rm|unlink|rename|mkdir|mkdtemp|truncate|ftruncate|link|symlink|chmod|chown|lchown|utimes|createWriteStream)/;

function fileUse(
  node: Node,
  call: CallNode | null,
  origin: string,
  risky: (risk: Risk) => Risk,
  input: RuleInput,
): void {
  const [, name = ''] = origin.split('#');
  if (/^(constants|Stats|Dirent)/.test(name)) return;
  const writes = changing.test(name);
  const area = call ? areaOf(call.arguments[0] as Node | undefined, input) : null;
  const [what, risk] = fileSentence(area, writes, risky);
  input.report(node, 'file', what, risk);
}

function fileSentence(area: string | null, writes: boolean, risky: (risk: Risk) => Risk): [Sentence, Risk] {
  if (area === 'own')
    return writes
      ? [sentence('Writes files of its own folder'), risky('medium')]
      : [sentence('Reads files of its own folder'), 'low'];
  if (area === 'built')
    return writes
      ? [sentence('Writes files at paths that start in its own folder'), 'high']
      : [sentence('Reads files at paths that start in its own folder'), risky('medium')];
  if (area === 'temporary') return [sentence('Uses temporary files'), 'low'];
  if (area)
    return writes
      ? [sentence('Writes {file}', { file: area }), 'high']
      : [sentence('Reads {file}', { file: area }), 'high'];
  return writes
    ? [sentence('Writes files chosen at run time'), 'high']
    : [sentence('Reads files chosen at run time'), 'high'];
}

/** Where a path leads: `own`, `built` (starting there, with unknown parts), `temporary`, the path itself if it is fixed, or null if unknown. */
function areaOf(path: Node | undefined, input: RuleInput): string | null {
  const { code, origins, addon } = input;
  if (!path) return null;
  const inner = unwrapped(path);
  const fixed = constantText(code, inner);
  if (fixed !== undefined && isAbsolute(fixed)) return fixed;
  const parts = leaves(inner, input);
  const isHere = (part: Node): boolean =>
    part.type === 'MetaProperty' || (part.type === 'Identifier' && /^__(dirname|filename)$/.test(part.name));
  if (parts.some(isHere)) {
    if (!parts.every((part) => isHere(part) || constantText(code, part) !== undefined)) return 'built';
    const segments = parts.flatMap((part) => constantText(code, part) ?? []).filter((text) => text !== 'file:');
    const target = segments.reduce((folder, segment) => join(folder, segment), dirname(code.path));
    return isInside(addon.folder, target) ? 'own' : relative(addon.folder, target).split(sep).join('/');
  }
  if (parts.some((part) => origins.some(part, (origin) => /^node:os#tmpdir/.test(origin)))) return 'temporary';
  return fixed ?? null;
}

/** Parts of an expression that builds a path: arguments, elements, and what constants were made of. */
function leaves(node: Node, input: RuleInput, depth = 0): Node[] {
  const { code, origins } = input;
  const inner = unwrapped(node);
  if (depth > 8) return [];
  const deeper = (parts: readonly (Node | null | undefined)[]): Node[] =>
    parts.flatMap((part) => (part ? leaves(part, input, depth + 1) : []));
  switch (inner.type) {
    case 'NewExpression':
      return deeper(inner.arguments as Node[]);
    case 'CallExpression': {
      // `join(…)` and `fileURLToPath(…)`, but not methods of unknown values, such as `name.concat('…')`.
      const isKnown = origins.some(inner.callee, (origin) => /^(node|global):/.test(origin));
      return isKnown && inner.arguments.length > 0 ? deeper(inner.arguments as Node[]) : [inner.callee];
    }
    case 'TemplateLiteral':
      return deeper(inner.expressions);
    case 'BinaryExpression':
      return deeper([inner.left as Node, inner.right]);
    case 'MemberExpression':
      return inner.object.type === 'MetaProperty' ? [inner.object] : [inner];
    case 'Identifier': {
      const value = initialValue(code, inner);
      return value ? deeper([value]) : [inner];
    }
    default:
      return [inner];
  }
}
