import { ready, t } from '#core/browser';
import { karmaText, refuse } from '../browser/says.ts';
import { LOADING_DELAY, TAG, TYPING_DELAY, tagsIn, whyNot } from '../browser/tag-list.ts';

interface Known {
  readonly id: number;
  readonly name: string;
}

/**
 * The tag editor: an input with tags separated by commas (`[data-forum-tags]`, the forum's number) becomes chips and a box that suggests tags while one
 * types. The input itself keeps the tags and goes with the form as before.
 */
export default function tags(input: HTMLElement): (() => void) | undefined {
  if (!(input instanceof HTMLInputElement)) return undefined;
  const editor = new TagEditor(input);
  void ready.then(() => editor.open());
  return () => editor.close();
}

class TagEditor {
  readonly #input: HTMLInputElement;
  readonly #box = document.createElement('div');
  readonly #typing = document.createElement('input');
  readonly #list = document.createElement('ul');
  #chosen: string[] = [];
  #offered: readonly string[] = [];
  #at = -1;
  #timer = 0;
  #asked = 0;

  constructor(input: HTMLInputElement) {
    this.#input = input;
  }

  open(): void {
    const input = this.#input;
    this.#box.className = 'forum-tag-editor';
    this.#list.className = 'forum-tag-list';
    this.#list.id = `${input.id}-list`;
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', t('Tags'));
    this.#list.hidden = true;
    const typing = this.#typing;
    typing.type = 'text';
    typing.id = `${input.id}-typing`;
    typing.autocomplete = 'off';
    typing.maxLength = 200;
    typing.setAttribute('role', 'combobox');
    typing.setAttribute('aria-expanded', 'false');
    typing.setAttribute('aria-controls', this.#list.id);
    typing.setAttribute('aria-autocomplete', 'list');
    const describedBy = input.getAttribute('aria-describedby');
    if (describedBy) typing.setAttribute('aria-describedby', describedBy);
    for (const label of input.labels ?? []) label.htmlFor = typing.id;
    input.hidden = true;
    input.after(this.#box);
    this.#box.append(typing, this.#list);
    typing.addEventListener('input', this.#typed);
    typing.addEventListener('keydown', this.#pressed);
    typing.addEventListener('blur', this.#left);
    input.addEventListener('change', this.#read);
    this.#read();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const label of document.querySelectorAll<HTMLLabelElement>(`label[for="${this.#typing.id}"]`))
      label.htmlFor = this.#input.id;
    this.#input.removeEventListener('change', this.#read);
    this.#input.hidden = false;
    this.#box.remove();
  }

  /** Takes over what the input holds: at first, and when a draft is brought back. */
  readonly #read = (): void => {
    this.#chosen = tagsIn(this.#input.value).filter((tag, index, all) => whyNot(tag, all.slice(0, index)) === null);
    this.#draw();
  };

  readonly #typed = (): void => {
    const { value } = this.#typing;
    if (/[,_\s]/u.test(value)) {
      this.#typing.value = '';
      for (const tag of tagsIn(value)) this.#add(tag);
      this.#offer([]);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#suggest(value), TYPING_DELAY);
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    const { value } = this.#typing;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      // Enter chooses a tag and sends nothing, as long as there is something to choose.
      const tag = this.#offered[this.#at] ?? tagsIn(value)[0];
      if (tag === undefined) return;
      event.preventDefault();
      this.#choose(tag);
    } else if (event.key === 'Escape') this.#offer([]);
    else if (event.key === 'Backspace' && value === '') this.#remove(this.#chosen.at(-1));
  };

  readonly #left = (): void => {
    // What was typed and not chosen is meant all the same.
    for (const tag of tagsIn(this.#typing.value)) this.#add(tag);
    this.#typing.value = '';
    setTimeout(() => this.#offer([]), 150);
  };

  #choose(tag: string): void {
    this.#typing.value = '';
    this.#add(tag);
    this.#offer([]);
    this.#typing.focus();
  }

  #add(tag: string): void {
    const why = whyNot(tag, this.#chosen);
    if (why === 'length') return void refuse(() => t('A tag has 2 to 35 characters.'));
    if (why === 'many') return void refuse(() => t('At most 5 tags.'));
    if (why === 'twice') return;
    if (this.#input.dataset.mayCreate === 'no') return void this.#addKnown(tag);
    this.#keep(tag);
  }

  /** Those without the karma for new tags choose among the known ones. */
  async #addKnown(tag: string): Promise<void> {
    const known = this.#offered.includes(tag) || (await this.#ask(tag)).includes(tag);
    if (known) this.#keep(tag);
    else await refuse(() => karmaText(this.#input.dataset.retagKarma ?? ''));
  }

  #keep(tag: string): void {
    if (whyNot(tag, this.#chosen) !== null) return;
    this.#chosen = [...this.#chosen, tag];
    this.#write();
  }

  #remove(tag: string | undefined): void {
    this.#chosen = this.#chosen.filter((one) => one !== tag);
    this.#write();
  }

  #write(): void {
    this.#input.value = this.#chosen.join(', ');
    this.#input.dispatchEvent(new Event('input', { bubbles: true }));
    this.#draw();
  }

  #draw(): void {
    for (const chip of this.#box.querySelectorAll('.forum-tag')) chip.remove();
    for (const tag of this.#chosen) {
      const chip = document.createElement('span');
      chip.className = 'forum-tag';
      const name = document.createElement('span');
      name.textContent = tag;
      name.translate = false;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'forum-tag-remove';
      button.textContent = '×';
      button.setAttribute('aria-label', t('Remove {tag}', { tag }));
      button.addEventListener('click', () => {
        this.#remove(tag);
        this.#typing.focus();
      });
      chip.append(name, button);
      this.#typing.before(chip);
    }
    this.#typing.disabled = this.#chosen.length >= TAG.most;
    this.#typing.hidden = this.#typing.disabled;
  }

  async #suggest(text: string): Promise<void> {
    const asked = ++this.#asked;
    const slow = window.setTimeout(() => this.#wait(), LOADING_DELAY);
    const names = text.trim() === '' ? [] : await this.#ask(text.trim());
    clearTimeout(slow);
    if (asked !== this.#asked) return;
    if (this.#typing.value === text) this.#offer(names.filter((name) => !this.#chosen.includes(name)));
  }

  async #ask(text: string): Promise<string[]> {
    const query = new URLSearchParams({
      q: text,
      t: 'select2',
      l: String(TAG.suggestions),
      forum: this.#input.dataset.forumTags ?? '',
    });
    try {
      const answer = await fetch(`/forum/get_tags?${query}`);
      if (!answer.ok) throw new Error(`get_tags answered ${answer.status}`);
      return ((await answer.json()) as Known[]).map(({ name }) => name);
    } catch (error) {
      // Tags can be typed without suggestions.
      console.warn(error);
      return [];
    }
  }

  /** Says that suggestions are on their way. */
  #wait(): void {
    this.#offer([]);
    const item = document.createElement('li');
    item.textContent = t('Loading…');
    item.setAttribute('role', 'option');
    item.setAttribute('aria-disabled', 'true');
    item.setAttribute('aria-selected', 'false');
    this.#list.append(item);
    this.#list.hidden = false;
    this.#typing.setAttribute('aria-expanded', 'true');
  }

  #offer(names: readonly string[]): void {
    this.#offered = names;
    this.#at = -1;
    this.#list.replaceChildren(
      ...names.map((name, index) => {
        const item = document.createElement('li');
        item.id = `${this.#list.id}-${index}`;
        item.setAttribute('role', 'option');
        item.setAttribute('aria-selected', 'false');
        item.textContent = name;
        item.addEventListener('mousedown', (event) => {
          event.preventDefault();
          this.#choose(name);
        });
        return item;
      }),
    );
    this.#list.hidden = names.length === 0;
    this.#typing.setAttribute('aria-expanded', String(names.length > 0));
    this.#typing.removeAttribute('aria-activedescendant');
  }

  #move(by: number): void {
    const items = [...this.#list.querySelectorAll('li:not([aria-disabled])')];
    if (items.length === 0) return;
    this.#at = (this.#at + by + items.length + (this.#at < 0 && by < 0 ? 1 : 0)) % items.length;
    for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === this.#at));
    const item = items[this.#at];
    item?.scrollIntoView({ block: 'nearest' });
    if (item) this.#typing.setAttribute('aria-activedescendant', item.id);
  }
}
