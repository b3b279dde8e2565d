/**
 * Which parts of HTML are running text. Texts are edited with the rich-text editor, which knows paragraphs, headings, lists, quotes, code and
 * what stands in a line; everything else (sections, columns, cards, tables) is structure, which it would not give back as it was. So only
 * runs of text are ever handed to it, and the structure around them stays untouched.
 */
const inlineElements = new Set(
  `a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr`.split(
    ' ',
  ),
);
const lineElements = new Set('p h1 h2 h3 h4 h5 h6 pre'.split(' '));

/** Whether a node may stand within a line. */
export function isInline(node: Node): boolean {
  if (node.nodeType === Node.TEXT_NODE) return true;
  if (!(node instanceof Element)) return node.nodeType === Node.COMMENT_NODE;
  return inlineElements.has(node.localName) && !isStructure(node) && [...node.childNodes].every(isInline);
}

/** Whether a node is running text, with all that is in it. */
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

/** Items of lists that are blocks by themselves, to be copied and moved: people, steps, prices. */
export const itemBlocks = 'li:has(h1, h2, h3, h4, h5, h6), .s_prices > li';

function isItem(node: Node): boolean {
  if (isBlank(node)) return true;
  if (!(node instanceof Element) || node.localName !== 'li' || isStructure(node)) return false;
  if (node.matches(itemBlocks)) return false;
  const children = [...node.childNodes].filter((child) => !isBlank(child));
  const [first] = children;
  // The text editor's items begin with a line of text; one that begins with a heading would come back as another list.
  return children.every(isFlow) && (first === undefined || isInline(first) || (first as Element).localName === 'p');
}

/** What the server fills, or a snippet by itself: never handed to the text editor. */
function isStructure(element: Element): boolean {
  return element.hasAttribute('data-block') || element.hasAttribute('data-name');
}

/** Whether a node shows nothing: a comment, or blanks between elements. */
export function isBlank(node: Node): boolean {
  if (node.nodeType === Node.COMMENT_NODE) return true;
  return node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() === '';
}
