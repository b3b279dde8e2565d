import type { MarkConfig } from '@tiptap/core';

const tags = ['sub', 'sup', 'kbd', 'mark', 'small', 'q', 'cite', 'samp', 'var', 'dfn'];

/**
 * Inline elements that carry meaning, such as x², H₂O or keyboard keys, for `Mark.create`. They have no toolbar button, but come from
 * pasted text and Markdown.
 */
export const plainPhrase: MarkConfig = {
  name: 'phrase',
  excludes: '',
  addAttributes: () => ({ tag: { default: 'span', rendered: false } }),
  parseHTML: () => tags.map((tag) => ({ tag, attrs: { tag } })),
  renderHTML: ({ mark }) => [String(mark.attrs.tag), 0],
};
