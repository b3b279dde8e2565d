/** Whether the element is being edited: there it keeps still, so that nothing a script adds is saved with the page. */
export function isEdited(element: Element): boolean {
  return element.closest('[data-editing], [contenteditable="true"]') !== null;
}
