import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  isObject,
  nameOf,
  nodes,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/** Links whose click handler prevents navigation, directly or through a function of the file, and that lack `data-in-place`. */
export function lateLinks(program: unknown): AstNode[] {
  const all = [...nodesIn(program)];
  const functions = new Map<string, unknown>();
  for (const { type, identifier: name, id, body, init } of all) {
    if (type === 'FunctionDeclaration') functions.set(identifier(name) ?? '', body);
    if (type === 'VariableDeclarator') functions.set(identifier(id) ?? '', init);
  }
  const prevents = (code: unknown, seen: ReadonlySet<string> = new Set()): boolean =>
    [...nodesIn(code)].some((node) => {
      const name = identifier(node) ?? '';
      if (name === 'preventDefault') return true;
      return functions.has(name) && !seen.has(name) && prevents(functions.get(name), new Set([...seen, name]));
    });
  return all.filter((node) => {
    if (node.type !== 'JSXOpeningElement' || identifier(node.name) !== 'a') return false;
    const attributes = new Map(nodes(node.attributes).map(({ name, value }) => [identifier(name), value]));
    // These links wait for their script anyway, see packages/browser/early.ts.
    const isSilent = textOf(attributes.get('role')) === 'button' || textOf(attributes.get('href')) === '#';
    const isKept = isSilent || attributes.has('data-in-place');
    return attributes.has('href') && !isKept && prevents(attributes.get('onClick'));
  });
}

/** The element itself, if the UI kit has a component for it. */
export function kitElements(node: AstNode): { readonly node: AstNode; readonly text: string }[] {
  const text = node.type === 'JSXOpeningElement' ? (identifier(node.name) ?? '') : '';
  return ['label', 'img', 'dialog'].includes(text) ? [{ node, text }] : [];
}

/** Visible texts of an element, except code, keyboard keys and elements with `translate="no"`. */
export function jsxTexts(element: AstNode): AstNode[] {
  if (element.type === 'JSXElement' && isNode(element.opening)) {
    const { name, attributes } = element.opening;
    const isFixed = nodes(attributes).some((attribute) => identifier(attribute.name) === 'translate');
    if (isFixed || ['kbd', 'code', 'pre', 'samp'].includes(identifier(name) ?? '')) return [];
  } else if (element.type !== 'JSXFragment') return [];
  return nodes(element.children).filter(({ type, value }) => type === 'JSXText' && /\p{Ll}{2}/u.test(String(value)));
}

/** Date methods whose result depends on the machine's time zone or language. */
const ZONED = /^(get(Day|Date|Month|FullYear|Hours|Minutes)|toLocale(Date|Time)String|to(Date|Time)String)$/;
/** Globals that exist only in browsers. */
const BROWSER_ONLY = new Set([
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'screen',
]);

/** Unstable values that components read while rendering. Nested functions, such as handlers and effects, run later and don't count. */
export function unstableRenders(program: unknown): { readonly node: AstNode; readonly text: string }[] {
  return [...nodesIn(program)].flatMap((node) =>
    [...ownNodes(bodyOfComponent(node))].flatMap((inner) => {
      const text = unstableValue(inner);
      return text === null ? [] : [{ node: inner, text }];
    }),
  );
}

/** The body of a component: a capitalised function, also as a constant or default export. */
function bodyOfComponent(node: AstNode): unknown {
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression')
    return /^[A-Z]/.test(identifier(node.identifier) ?? '') ? node.body : null;
  const isNamed = node.type === 'VariableDeclarator' && /^[A-Z]/.test(identifier(node.id) ?? '');
  const value = isNamed ? unwrap(node.init) : node.type === 'ExportDefaultExpression' ? unwrap(node.expression) : null;
  // `memo(…)` and the like.
  const functions = value?.type === 'CallExpression' ? argumentsOf(value).map(unwrap) : [value];
  return functions.flatMap((fn) => (fn?.type === 'ArrowFunctionExpression' ? [fn.body] : []));
}

/**
 * Nodes of a function's body without nested functions. The first argument of `useState` and `useMemo` runs during rendering, so it is
 * included.
 */
function* ownNodes(value: unknown): Generator<AstNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* ownNodes(item);
    return;
  }
  if (!isObject(value)) return;
  if (isNode(value)) {
    if (/Function(Declaration|Expression)$/.test(value.type) || value.type.startsWith('TsType')) return;
    yield value;
    // Content of a portal is rendered only after something opened it.
    if (value.type === 'CallExpression' && nameOf(unwrap(value.callee)) === 'createPortal')
      return yield* ownNodes(argumentsOf(value)[0]);
    if (value.type === 'CallExpression' && /^use(State|Memo)$/.test(nameOf(unwrap(value.callee)))) {
      const [first] = argumentsOf(value).map(unwrap);
      if (first?.type === 'ArrowFunctionExpression') yield* ownNodes(first.body);
    }
  }
  for (const child of Object.values(value)) yield* ownNodes(child);
}

function unstableValue(node: AstNode): string | null {
  if (node.type === 'NewExpression')
    return identifier(node.callee) === 'Date' && argumentsOf(node).length === 0 ? 'new Date()' : null;
  if (node.type === 'UnaryExpression' && node.operator === 'typeof') {
    const globalName = identifier(unwrap(node.argument)) ?? '';
    return BROWSER_ONLY.has(globalName) ? `typeof ${globalName}` : null;
  }
  if (node.type === 'CallExpression') {
    const method = nameOf(unwrap(node.callee));
    return ZONED.test(method) ? `${method}()` : null;
  }
  if (node.type !== 'MemberExpression') return null;
  const object = identifier(unwrap(node.object)) ?? '';
  const name = `${object}.${nameOf(node)}`;
  if (['Date.now', 'Math.random', 'crypto.randomUUID'].includes(name)) return `${name}()`;
  return BROWSER_ONLY.has(object) ? name : null;
}
