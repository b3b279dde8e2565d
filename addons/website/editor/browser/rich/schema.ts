import { plainPhrase } from '@pergola/web/browser';
import { Extension, type Extensions, Mark, Node } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';

/** Content of a text: `flow` has paragraphs, headings and lists, `line` a single line. `comment` is the profile for visitors. */
export interface TextKind {
  readonly kind: 'flow' | 'line';
  readonly profile: 'page' | 'comment';
}

type Attributes = Readonly<Record<string, string>>;

/** Attributes handled by the nodes and marks themselves. */
const managed: Readonly<Record<string, readonly string[]>> = {
  link: ['href', 'target', 'rel', 'class', 'title'],
  image: ['src', 'alt', 'title', 'width', 'height'],
  orderedList: ['start', 'type'],
};
const blockTypes = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'codeBlock',
  'horizontalRule',
];
const markTypes = ['bold', 'italic', 'strike', 'underline', 'code', 'link'];

function attributesOf(element: Element, excluded: readonly string[] = []): Attributes | null {
  const attributes = [...element.attributes].filter(
    ({ name }) =>
      !excluded.includes(name) &&
      !/^(on|data-ed-|data-pm-)|^(contenteditable|draggable|spellcheck|translate)$/.test(name),
  );
  return attributes.length > 0 ? Object.fromEntries(attributes.map(({ name, value }) => [name, value])) : null;
}

/** Keeps classes, ids, styles and data attributes that the editor doesn't handle. */
const keepAttributes = Extension.create({
  name: 'keepAttributes',
  addGlobalAttributes() {
    return [...blockTypes, ...markTypes, 'image'].map((type) => ({
      types: [type],
      attributes: {
        kept: {
          default: null,
          keepOnSplit: type !== 'heading',
          parseHTML: (element: HTMLElement) => attributesOf(element, managed[type]),
          renderHTML: ({ kept: attributes }: { kept?: Attributes | null }) => attributes ?? {},
        },
      },
    }));
  },
});

/** Keeps other inline elements (`small`, `sup`, `span` with a class) with their attributes. */
const phrase = Mark.create({
  name: 'phrase',
  excludes: '',
  addAttributes: () => ({ tag: { default: 'span', rendered: false }, kept: { default: null, rendered: false } }),
  parseHTML() {
    return 'span small sup sub mark abbr kbd cite q time ins del dfn samp var data bdi bdo'.split(' ').map((tag) => ({
      tag,
      getAttrs: (element: HTMLElement) => {
        const attributes = attributesOf(element);
        return tag === 'span' && !attributes ? false : { tag, kept: attributes };
      },
    }));
  },
  renderHTML: ({ mark }) => [String(mark.attrs.tag), (mark.attrs.kept as Attributes | null) ?? {}, 0],
});

/** Colour and size of words, stored as option classes (`PartKind` text). */
const look = Mark.create({
  name: 'look',
  addAttributes: () => ({ class: { default: null } }),
  parseHTML: () => [
    {
      tag: 'span[class]',
      priority: 1000,
      getAttrs: (element) => element.attributes.length === 1 && lookClasses.test(element.className) && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});
const lookClasses = /^(o-(ink|size)-\w+ ?)+$/;

/** Inline element without text, such as an icon, kept as a single character. */
const piece = Node.create({
  name: 'piece',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({ html: { default: '', rendered: false } }),
  parseHTML() {
    return 'span i em b small svg'.split(' ').map((tag) => ({
      tag,
      priority: 1000,
      getAttrs: (element: HTMLElement) => {
        const isEmpty =
          (element.textContent ?? '') === '' && !element.querySelector('img, br') && element.attributes.length > 0;
        return isEmpty ? { html: element.outerHTML } : false;
      },
    }));
  },
  renderHTML({ node }) {
    const holder = document.createElement('template');
    holder.innerHTML = String(node.attrs.html);
    return holder.content.firstElementChild ?? ['span'];
  },
});

/** Tables come from pasting; when the text is closed, each cell becomes a separate text. */
const table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['div', { class: 'table-responsive' }, ['table', { class: 'table' }, ['tbody', 0]]],
});
const tableRow = Node.create({
  name: 'tableRow',
  content: 'tableCell+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
});
const tableCell = Node.create({
  name: 'tableCell',
  content: 'inline*',
  isolating: true,
  addAttributes: () => ({
    colspan: { default: null },
    rowspan: { default: null },
    tag: { default: 'td', rendered: false },
  }),
  parseHTML: () => ['td', 'th'].map((tag) => ({ tag, attrs: { tag } })),
  renderHTML: ({ node, HTMLAttributes }) => [String(node.attrs.tag), HTMLAttributes, 0],
});

const lineDocument = Node.create({ name: 'doc', topNode: true, content: 'inline*' });

/** Enter inserts a line break in single-line texts. */
const lineKeys = Extension.create({
  name: 'lineKeys',
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.setHardBreak() };
  },
});

/** Extensions of a text editor of this kind. */
export function extensionsFor({ kind, profile }: TextKind): Extensions {
  const link = {
    openOnClick: false,
    autolink: true,
    linkOnPaste: true,
    defaultProtocol: 'https',
    HTMLAttributes: { target: null, rel: null, class: null },
  };
  const dropcursor = { color: 'var(--bs-link-color)', width: 3 };
  const image = Image.configure({ inline: true });
  if (kind === 'line') {
    const off = Object.fromEntries(
      'document paragraph blockquote bulletList codeBlock heading horizontalRule listItem listKeymap orderedList trailingNode gapcursor'
        .split(' ')
        .map((name) => [name, false as const]),
    );
    return [
      lineDocument,
      lineKeys,
      StarterKit.configure({ ...off, link, dropcursor }),
      image,
      look,
      phrase,
      piece,
      keepAttributes,
    ];
  }
  const starter = StarterKit.configure({
    link,
    dropcursor,
    trailingNode: false,
    heading: { levels: [1, 2, 3, 4, 5, 6] },
  });
  return profile === 'page'
    ? [starter, image, table, tableRow, tableCell, look, phrase, piece, keepAttributes]
    : [starter, image, Mark.create(plainPhrase)];
}
