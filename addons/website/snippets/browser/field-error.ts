/**
 * Says beside a field what is wrong with it, in red, until the visitor changes it: the server and the page say it alike. Without a text what was said goes.
 */
export function fieldError(field: HTMLInputElement, text: string): void {
  const known = field.parentElement?.querySelector<HTMLElement>('.invalid-feedback');
  field.classList.toggle('is-invalid', text !== '');
  field.setCustomValidity(text);
  if (text === '') {
    field.removeAttribute('aria-invalid');
    known?.remove();
    return;
  }
  const note = known ?? document.createElement('p');
  note.className = 'invalid-feedback';
  note.role = 'alert';
  note.textContent = text;
  if (!known) field.after(note);
  field.ariaInvalid = 'true';
  const type = field.type === 'file' ? 'change' : 'input';
  // What is said because of the change itself is said after this.
  setTimeout(() => field.addEventListener(type, () => fieldError(field, ''), { once: true, capture: true }));
}
