import type { MarkConfig } from '@tiptap/core';

const tags = ['sub', 'sup', 'kbd', 'mark', 'small', 'q', 'cite', 'samp', 'var', 'dfn'];

/**
 * Words whose element is part of what they say, such as x², H₂O or a key to press, for `Mark.create`. No tool makes them: they come by pasting and from
 * Markdown.
 */
export const plainPhrase: MarkConfig = {
  name: 'phrase',
  excludes: '',
  addAttributes: () => ({ tag: { default: 'span', rendered: false } }),
  parseHTML: () => tags.map((tag) => ({ tag, attrs: { tag } })),
  renderHTML: ({ mark }) => [String(mark.attrs.tag), 0],
};
