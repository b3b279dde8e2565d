import { withoutContext } from '@pergola/browser';

/**
 * Syntax of translatable texts.
 *
 * `{name}` is a value, `<a>…</a>` a piece of markup (or a condition) around some words:
 *
 *     Please <a>sign in</a>, {name}.<if> You have {count} messages.</if>
 *
 * A translation may move these, but not add, drop or repeat them, nor move them out of their parent. Only `&lt;`, `&amp;`, `&#123;` and
 * `&#125;` are decoded; everything else is plain text.
 */
export type MessageNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly name: string }
  | { readonly type: 'pair'; readonly name: string; readonly children: readonly MessageNode[] };

const token = /<(\/?)([a-z]+\d*)>|\{([A-Za-z_]\w*)\}|&(lt|amp|#123|#125);/g;
const entities: Readonly<Record<string, string>> = { lt: '<', amp: '&', '#123': '{', '#125': '}' };

/** Parses a message. Throws a SyntaxError if a tag isn't closed or closes another one. */
export function parseMessage(message: string): MessageNode[] {
  const root: MessageNode[] = [];
  const open: { name: string; children: MessageNode[] }[] = [{ name: '', children: root }];
  let from = 0;
  const add = (node: MessageNode): void => {
    const siblings = open.at(-1)?.children ?? root;
    const last = siblings.at(-1);
    if (node.type !== 'text' || last?.type !== 'text') siblings.push(node);
    else siblings[siblings.length - 1] = { type: 'text', text: last.text + node.text };
  };
  for (const match of message.matchAll(token)) {
    if (match.index > from) add({ type: 'text', text: message.slice(from, match.index) });
    from = match.index + match[0].length;
    const [, slash, tag, value, entity] = match;
    if (entity) add({ type: 'text', text: entities[entity] ?? match[0] });
    else if (value) add({ type: 'value', name: value });
    else if (tag && !slash) open.push({ name: tag, children: [] });
    else if (tag) {
      const closed = open.length > 1 ? open.pop() : undefined;
      if (closed?.name !== tag) throw new SyntaxError(`</${tag}> closes ${closed ? `<${closed.name}>` : 'nothing'}`);
      add({ type: 'pair', ...closed });
    }
  }
  if (from < message.length) add({ type: 'text', text: message.slice(from) });
  if (open.length > 1) throw new SyntaxError(`<${open.at(-1)?.name}> is not closed`);
  return root;
}

/** Escapes a text so that {@link parseMessage} returns it unchanged. */
export function escapeMessageText(text: string): string {
  return text
    .replace(/&(?=(lt|amp|#123|#125);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;');
}

/** Removes the context of a text and fills `{name}` from `params`; placeholders without a value remain, so the mistake is visible. */
export function fill(message: string, params: Readonly<Record<string, unknown>> | undefined): string {
  const text = withoutContext(message);
  if (!params || !text.includes('{')) return text;
  return text.replace(/\{([A-Za-z_]\w*)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) && params[name] != null ? String(params[name]) : placeholder,
  );
}

interface Part {
  /** Source text: `{name}` or `<a>`. */
  readonly label: string;
  /** Label of the enclosing part, or an empty text. */
  readonly parent: string;
  /** For the other branch of a condition: the branch directly before it. */
  readonly follows?: string;
}

/**
 * Why a translation doesn't match its source, or undefined if it does. With `form`, the translation is one of several plural forms, which
 * may omit a value ("one answer").
 */
export function messageFault(source: string, translation: string, form = false): string | undefined {
  let sourceParts: Part[];
  let translatedParts: Part[];
  try {
    sourceParts = partsOf(parseMessage(source));
  } catch {
    return undefined; // a text with unmatched markup is never compiled into a template
  }
  try {
    translatedParts = partsOf(parseMessage(translation));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  for (const part of translatedParts) {
    const sourcePart = sourceParts.find(({ label }) => label === part.label);
    if (!sourcePart) return `${part.label} is not in the source text`;
    if (!sourceParts.some(({ label, parent }) => label === part.label && parent === part.parent)) {
      return `${part.label} belongs ${sourcePart.parent ? `inside ${sourcePart.parent}` : 'outside every tag'}`;
    }
    if (sourcePart.follows !== part.follows) return `${part.label} has to follow ${sourcePart.follows} directly`;
  }
  const missing = sourceParts.find((part) => countOf(translatedParts, part) < countOf(sourceParts, part));
  if (missing && !form) return `${missing.label} is missing`;
  const repeated = translatedParts.find((part) => countOf(translatedParts, part) > countOf(sourceParts, part));
  return repeated && `${repeated.label} is there too often`;
}

function countOf(parts: readonly Part[], { label, parent }: Part): number {
  return parts.filter((part) => part.label === label && part.parent === parent).length;
}

function partsOf(nodes: readonly MessageNode[], parent = ''): Part[] {
  const significantNodes = nodes.filter((node) => node.type !== 'text' || node.text.trim() !== '');
  return significantNodes.flatMap((node, index): Part[] => {
    if (node.type === 'text') return [];
    if (node.type === 'value') return [{ label: `{${node.name}}`, parent }];
    const label = `<${node.name}>`;
    const previous = significantNodes[index - 1];
    const follows = node.name.startsWith('else')
      ? previous?.type === 'pair'
        ? `<${previous.name}>`
        : 'its condition'
      : undefined;
    return [{ label, parent, follows }, ...partsOf(node.children, label)];
  });
}
