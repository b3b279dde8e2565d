/**
 * Separates flow content from structure in HTML. The rich-text editor handles paragraphs, headings, lists, quotes, code and inline
 * elements. It would not preserve anything else (sections, columns, cards, tables), so it only gets runs of text, and the structure around
 * them stays untouched.
 */
const inlineElements = new Set(
  `a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr`.split(
    ' ',
  ),
);
const lineElements = new Set('p h1 h2 h3 h4 h5 h6 pre'.split(' '));

/** Returns whether a node is inline content. */
export function isInline(node: Node): boolean {
  if (node.nodeType === Node.TEXT_NODE) return true;
  if (!(node instanceof Element)) return node.nodeType === Node.COMMENT_NODE;
  return inlineElements.has(node.localName) && !isStructure(node) && [...node.childNodes].every(isInline);
}

/** Returns whether a node and all its descendants are flow content. */
export function isFlow(node: Node): boolean {
  if (isInline(node)) return true;
  if (!(node instanceof Element) || isStructure(node)) return false;
  const children = [...node.childNodes];
  if (lineElements.has(node.localName)) return children.every(isInline);
  if (node.localName === 'hr') return true;
  if (node.localName === 'blockquote') return children.every(isFlow);
  if (node.localName === 'ul' || node.localName === 'ol') return children.every(isItem);
  return false;
}

/** List items that are separate blocks, to be copied and moved: people, steps, prices. */
export const itemBlocks = 'li:has(h1, h2, h3, h4, h5, h6), .s_prices > li';

function isItem(node: Node): boolean {
  if (isBlank(node)) return true;
  if (!(node instanceof Element) || node.localName !== 'li' || isStructure(node)) return false;
  if (node.matches(itemBlocks)) return false;
  const children = [...node.childNodes].filter((child) => !isBlank(child));
  const [first] = children;
  // The text editor's list items start with a paragraph; it would change a list whose items start with a heading.
  return children.every(isFlow) && (first === undefined || isInline(first) || (first as Element).localName === 'p');
}

/** Returns whether an element is server-rendered or a snippet, and must not be given to the text editor. */
function isStructure(element: Element): boolean {
  return element.hasAttribute('data-block') || element.hasAttribute('data-name');
}

/** Returns whether a node is invisible: a comment, or whitespace between elements. */
export function isBlank(node: Node): boolean {
  if (node.nodeType === Node.COMMENT_NODE) return true;
  return node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() === '';
}
