import { ready, t } from '#core/browser';

/**
 * The address form: states follow the country, the fields for another address are there when they are wanted, and what is missing is marked before
 * anything is sent.
 */
export default function checkout(root: HTMLElement): () => void {
  if (!(root instanceof HTMLFormElement)) return () => {};
  const ended = new AbortController();
  const { signal } = ended;
  for (const country of root.querySelectorAll<HTMLSelectElement>('select.js_country')) {
    const states = root.querySelector<HTMLSelectElement>(`select[name="${prefixOf(country)}state_id"]`);
    const all = [...(states?.options ?? [])].filter(({ value }) => value !== '');
    followCountry(root, country, states, all);
    country.addEventListener('change', () => followCountry(root, country, states, all), { signal });
  }
  const shipping = root.querySelector<HTMLSelectElement>('select.js_shipping_select');
  if (shipping) {
    followShipping(root, shipping);
    shipping.addEventListener('change', () => followShipping(root, shipping), { signal });
  }
  root.addEventListener('submit', (event) => void check(root, event), { signal });
  root.addEventListener(
    'input',
    (event) => {
      const group = (event.target as Element).closest('.has-error');
      if (group) unmark(group);
    },
    { signal },
  );
  return () => ended.abort();
}

function prefixOf(country: HTMLSelectElement): string {
  return country.name.replace('country_id', '');
}

/** The states of the chosen country only; hidden unless there is more than one to choose from. */
function followCountry(
  form: HTMLFormElement,
  country: HTMLSelectElement,
  states: HTMLSelectElement | null,
  all: readonly HTMLOptionElement[],
): void {
  if (!states) return;
  const prefix = prefixOf(country);
  const own = all.filter(({ dataset }) => dataset.country === country.value);
  const chosen = states.value;
  states.replaceChildren(...[...states.options].filter(({ value }) => value === ''), ...own);
  states.value = own.some(({ value }) => value === chosen) ? chosen : '';
  const group = states.closest('.js_state_group');
  group?.classList.toggle('is-shown', own.length > 1);
  // Only the invoice's address has to name one, and only in some countries.
  const isNeeded = prefix === '' && own.length > 1 && country.selectedOptions[0]?.dataset.state === 'required';
  states.required = isNeeded;
  group?.querySelector('.js_state_optional')?.classList.toggle('d-none', isNeeded);
  const zip = form.querySelector<HTMLInputElement>(`input[name="${prefix}zip"]`);
  if (zip && prefix === '')
    zip.required = country.value !== '' && country.selectedOptions[0]?.dataset.zip !== 'optional';
}

function followShipping(form: HTMLFormElement, select: HTMLSelectElement): void {
  const fields = form.querySelector<HTMLFieldSetElement>('.js_shipping');
  if (!fields) return;
  const isNew = select.value === '-1';
  fields.classList.toggle('is-shown', isNew);
  fields.disabled = !isNew;
  for (const name of ['name', 'phone', 'street', 'city', 'country_id']) {
    const field = fields.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="shipping_${name}"]`);
    if (field) field.required = isNew;
  }
}

async function check(form: HTMLFormElement, event: Event): Promise<void> {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLSelectElement =>
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement,
  );
  const wrong = fields.filter((field) => field.willValidate && !field.checkValidity());
  if (wrong.length === 0) return;
  event.preventDefault();
  wrong[0]?.focus();
  await ready;
  for (const field of fields) {
    const group = field.closest('.form-group');
    if (group && !wrong.includes(field)) unmark(group);
  }
  for (const field of wrong) markWrong(field);
}

function markWrong(field: HTMLInputElement | HTMLSelectElement): void {
  field.closest('.form-group')?.classList.add('has-error');
  field.classList.add('is-invalid');
  field.setAttribute('aria-invalid', 'true');
  const place = document.getElementById(`${field.id}-error`);
  if (!place) return;
  place.textContent = field.validity.valueMissing
    ? t('Please fill this in.')
    : field.type === 'email'
      ? t('This is not a valid e-mail address.')
      : field.validationMessage;
}

function unmark(group: Element): void {
  group.classList.remove('has-error');
  for (const field of group.querySelectorAll('.is-invalid')) {
    field.classList.remove('is-invalid');
    field.removeAttribute('aria-invalid');
  }
}
