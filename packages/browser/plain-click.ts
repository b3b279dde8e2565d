/** Whether a click follows a link in the same tab: without the keys that open another tab or window, or save the target. */
export function isPlainClick({
  button,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<MouseEvent, 'button' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
