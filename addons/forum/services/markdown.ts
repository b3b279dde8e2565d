import MarkdownIt from 'markdown-it';

/** Headings in posts start two levels below the page title. */
const TOP_HEADING = 3;

/**
 * Renders Markdown as HTML: CommonMark with tables and strikethrough as on GitHub, and line breaks as typed. HTML tags are escaped, except
 * `<br>` and closed inline formatting (`<b>word</b>`). The result must still be sanitised.
 *
 * @param linkify links plain web and email addresses
 */
export function htmlFromMarkdown(text: string, { linkify = false } = {}): string {
  const markdown = new MarkdownIt({ html: false, linkify, breaks: true });
  linkPlainAddresses(markdown);
  markdown.core.ruler.push('headings', lowerHeadings);
  markdown.inline.ruler.before('html_inline', 'phrase', phraseReader());
  markdown.inline.ruler.before('html_inline', 'break', readBreak);
  compact(markdown);
  return markdown.render(text);
}

type Markdown = InstanceType<typeof MarkdownIt>;
type CoreRule = Parameters<Markdown['core']['ruler']['push']>[1];
type InlineRule = Parameters<Markdown['inline']['ruler']['push']>[1];

/** Doesn't link file names such as README.md. */
function linkPlainAddresses({ linkify }: Markdown): void {
  linkify.set({ fuzzyLink: true });
  const findLinks = linkify.match.bind(linkify);
  const findAddresses: typeof findLinks = (words) =>
    findLinks(words)?.filter(({ schema, raw }) => schema !== '' || /^www\./i.test(raw)) ?? null;
  linkify.match = findAddresses;
}

const lowerHeadings: CoreRule = ({ tokens }) => {
  for (const token of tokens)
    if (token.type.startsWith('heading_')) token.tag = `h${Math.min(Number(token.tag.slice(1)) + TOP_HEADING - 1, 6)}`;
};

/** Parses inline formatting tags. Tags without an end tag remain text, as in `a<b>c`. */
function phraseReader(): InlineRule {
  const read = new WeakMap<object, Map<string, { open: number; readonly lastEnd: number }>>();
  return (state, silent) => {
    const [tag, slash, tagName = ''] = phraseTag.exec(state.src.slice(state.pos, state.pos + 12)) ?? [];
    if (tag === undefined) return false;
    const name = tagName.toLowerCase();
    const phrases = read.get(state) ?? new Map();
    read.set(state, phrases);
    const phrase = phrases.get(name) ?? { open: 0, lastEnd: state.src.toLowerCase().lastIndexOf(`</${name}>`) };
    phrases.set(name, phrase);
    if (slash ? phrase.open === 0 : phrase.lastEnd < state.pos) return false;
    if (!silent) {
      phrase.open += slash ? -1 : 1;
      state.push('html_inline', '', 0).content = `<${slash}${name}>`;
    }
    state.pos += tag.length;
    return true;
  };
}

/** Table cells can't contain line breaks otherwise. */
const readBreak: InlineRule = (state, silent) => {
  const [lineBreak] = /^<br ?\/?>\n?/i.exec(state.src.slice(state.pos, state.pos + 7)) ?? [];
  if (lineBreak === undefined) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += lineBreak.length;
  return true;
};

const phraseTag = /^<(\/?)(b|i|u|s|em|strong|del|ins|mark|small|sub|sup|kbd|code)>/i;

/** Omits line breaks between elements, which would show up in plain text and when comparing posts. */
function compact({ renderer }: Markdown): void {
  const { code_block: codeBlock, fence } = renderer.rules;
  const renderToken = renderer.renderToken.bind(renderer);
  const renderCompact: typeof renderToken = (tokens, index, options) => {
    const html = renderToken(tokens, index, options);
    return tokens[index]?.block ? html.trim() : html;
  };
  const renderBreak = (): string => '<br>';
  const compactCode = (rule: typeof fence): typeof fence => {
    const render: typeof fence = (...args) => rule?.(...args).replace(/\n?(<\/code><\/pre>)\n$/, '$1') ?? '';
    return render;
  };
  renderer.renderToken = renderCompact;
  Object.assign(renderer.rules, {
    softbreak: renderBreak,
    hardbreak: renderBreak,
    code_block: compactCode(codeBlock),
    fence: compactCode(fence),
  });
}
