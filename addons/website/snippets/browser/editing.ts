/** Returns whether the element is being edited. Behaviours skip it, so that nothing added by scripts is saved with the page. */
export function isEdited(element: Element): boolean {
  return element.closest('[data-editing], [contenteditable="true"]') !== null;
}
