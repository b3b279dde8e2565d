import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ownOptions } from '../../../snippets/options.ts';
import type { PartKind, SnippetOption } from '../../../snippets/point.ts';
import { renameGroups } from '../dom/blocks.ts';
import { findRegions } from '../dom/regions.ts';
import { addColumn, addRow, headColumn, headRow, removeColumn, removeRow, toggleCaption } from '../dom/table.ts';
import { chosenValue, isOffered, type Part, setValue } from '../options.ts';
import { OptionFields } from '../ui/option-fields.tsx';

afterEach(cleanup);

const option = (id: string): SnippetOption => {
  const match = ownOptions.find((candidate) => candidate.id === `website.${id}`);
  if (!match) throw new Error(`no option ${id}`);
  return match;
};
const elementFrom = (html: string): HTMLElement => {
  const holder = document.createElement('div');
  holder.innerHTML = html;
  return holder.firstElementChild as HTMLElement;
};
const part = (element: HTMLElement, kind: PartKind = 'section'): Part => ({
  key: kind,
  kind,
  element,
  change: (edit) => edit(element),
});

describe('options of parts', () => {
  it('set one of their classes in the place of the others', () => {
    const section = elementFrom('<section class="s_title py-5 s_tone_soft"></section>');
    expect(chosenValue(section, option('ground'))).toBe('s_tone_soft');
    setValue(section, option('ground'), 'o-ground-main');
    expect(section.className).toBe('s_title py-5 o-ground-main');
    setValue(section, option('ground'), '');
    expect(section.className).toBe('s_title py-5');
  });

  it('show what is as it was designed until something is chosen', () => {
    const choices = ['o-small', 'o-large'].map((value) => ({ value, label: value }));
    const size = { id: 'a.size', label: 'Size', parts: ['section'], choices } as unknown as SnippetOption;
    const selectedIn = (classes: string) => {
      cleanup();
      render(<OptionFields part={part(elementFrom(`<div class="${classes}"></div>`))} options={[size]} />);
      return screen.queryByRole('option', { name: 'Default' }) !== null;
    };
    expect([selectedIn('col-lg-5'), selectedIn('o-large')]).toEqual([true, false]);
  });

  it('know what older pages say, and take it away', () => {
    const column = elementFrom('<div class="col-md-4 d-none d-md-block"></div>');
    expect(chosenValue(column, option('column_width'))).toBe('col-12 col-md-4');
    expect(chosenValue(column, option('shown'))).toBe('o-wide-only');
    setValue(column, option('column_width'), 'col-12 col-md-7');
    setValue(column, option('shown'), '');
    expect(column.className).toBe('col-12 col-md-7');
    expect(chosenValue(elementFrom('<div class="col-lg-5"></div>'), option('column_width'))).toBeUndefined();
  });

  it('are offered where there is something they are about', () => {
    const plain = elementFrom('<section><div class="container"></div></section>');
    const columns = elementFrom('<section><div class="container"><div class="row"></div></div></section>');
    expect([plain, columns].map((element) => isOffered(element, option('gaps')))).toEqual([false, true]);
    setValue(columns, option('gaps'), 'o-gap-3');
    expect(columns.querySelector('.row')?.className).toBe('row o-gap-3');
  });

  it('say how many columns stand beside each other; missing ones are copies of the last', () => {
    const section = elementFrom(
      '<section><div class="container"><div class="row"><div class="col-lg-7">A</div><div class="col-md-5" id="b">B</div></div></div></section>',
    );
    const columns = () =>
      [...section.querySelectorAll('.row > *')].map((column) => `${column.className} ${column.textContent}`);
    expect(chosenValue(section, option('columns'))).toBeUndefined();
    setValue(section, option('columns'), 'col-12 col-md-4');
    expect(columns()).toEqual(['col-12 col-md-4 A', 'col-12 col-md-4 B', 'col-12 col-md-4 B']);
    expect(section.querySelectorAll('#b')).toHaveLength(1);
    expect(chosenValue(section, option('columns'))).toBe('col-12 col-md-4');
    setValue(section, option('columns'), 'col-12 col-md-6');
    expect(columns()).toEqual(['col-12 col-md-6 A', 'col-12 col-md-6 B', 'col-12 col-md-6 B']);
    expect(isOffered(elementFrom('<section><p>Words</p></section>'), option('columns'))).toBe(false);
  });

  it('choose both colours and the direction of a gradient', () => {
    const section = elementFrom('<section><div></div></section>');
    const gradientOptions = ['gradient_from', 'gradient_to', 'gradient_angle'].map(option);
    const offeredOptions = () => gradientOptions.map((gradientOption) => isOffered(section, gradientOption));
    expect(offeredOptions()).toEqual([false, false, false]);
    setValue(section, option('ground'), 'o-ground-gradient-deep');
    expect(offeredOptions()).toEqual([true, true, true]);
    for (const [index, value] of ['o-from-blue', 'o-to-main', 'o-angle-90'].entries())
      setValue(section, gradientOptions[index] as SnippetOption, value);
    expect(section.className).toBe('o-ground-gradient-deep o-from-blue o-to-main o-angle-90');
  });

  it('let cards move under the pointer where there are some', () => {
    const section = elementFrom(
      '<section><div class="row"><div class="col"><div class="card"></div></div></div></section>',
    );
    const column = section.querySelector<HTMLElement>('.col') as HTMLElement;
    expect([section, column].map((element) => isOffered(element, option('hover')))).toEqual([true, true]);
    expect(isOffered(elementFrom('<section><p>Words</p></section>'), option('hover'))).toBe(false);
  });

  it('are set by lists, patches and sliders that say what they are', async () => {
    const section = elementFrom('<section></section>');
    const sectionOptions = ['ground', 'space_above', 'width'].map(option);
    const { rerender } = render(<OptionFields part={part(section)} options={sectionOptions} />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('radio', { name: 'Inverse' }));
    await user.selectOptions(screen.getByLabelText('Width'), 'Wide');
    rerender(<OptionFields part={part(section)} options={sectionOptions} />);
    expect(section.className).toBe('o-ground-inverse s_wide');
    expect(screen.getByRole('radio', { name: 'Inverse' })).toHaveProperty('checked', true);
    expect(screen.getByRole('slider', { name: 'Spacing above' }).getAttribute('aria-valuetext')).toBe('Default');
  });
});

describe('tables', () => {
  const table = () =>
    elementFrom(
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    );
  const cell = (root: HTMLElement, text: string) =>
    [...root.querySelectorAll<HTMLTableCellElement>('td, th')].find(
      ({ textContent }) => textContent === text,
    ) as HTMLTableCellElement;
  const cells = (root: HTMLElement) =>
    [...(root as HTMLTableElement).rows].map((row) =>
      [...row.cells].map(({ localName, textContent }) => `${localName} ${textContent}`),
    );

  it('get rows and columns beside a cell', () => {
    const root = table();
    addColumn(cell(root, 'A'), 'after');
    addRow(cell(root, '2'), 'after');
    expect(cells(root)).toEqual([
      ['th A', 'th ', 'th B'],
      ['td 1', 'td ', 'td 2'],
      ['td ', 'td ', 'td '],
    ]);
  });

  it('have a plain row below their head', () => {
    const root = table();
    addRow(cell(root, 'B'), 'after');
    expect(cells(root)).toEqual([
      ['th A', 'th B'],
      ['td ', 'td '],
      ['td 1', 'td 2'],
    ]);
    expect(root.querySelectorAll('thead tr')).toHaveLength(1);
  });

  it('lose them again, and go with the last', () => {
    const root = table();
    const holder = document.createElement('div');
    holder.append(root);
    removeColumn(cell(root, 'A'));
    expect(cells(root)).toEqual([['th B'], ['td 2']]);
    removeRow(cell(root, 'B'));
    removeRow(cell(root, '2'));
    expect(holder.innerHTML).toBe('');
  });

  it('have a title that is written over, and lose it again', () => {
    const root = table();
    toggleCaption(cell(root, '1'), 'Our prices');
    expect(findRegions(root).map(({ element }) => element.textContent)).toEqual(['Our prices', 'A', 'B', '1', '2']);
    toggleCaption(cell(root, '1'), 'Our prices');
    expect(root.querySelector('caption')).toBeNull();
  });

  it('have heads that say of what', () => {
    const root = table();
    headRow(cell(root, '1'));
    expect(root.querySelector('tbody')?.innerHTML).toBe('<tr><th scope="col">1</th><th scope="col">2</th></tr>');
    headRow(cell(root, '1'));
    const head = root.querySelector('thead')?.innerHTML;
    headColumn(cell(root, '1'));
    expect(root.querySelector('tbody')?.innerHTML).toBe('<tr><th scope="row">1</th><td>2</td></tr>');
    headColumn(cell(root, '1'));
    expect(cells(root)[1]).toEqual(['td 1', 'td 2']);
    expect(root.querySelector('thead')?.innerHTML).toBe(head);
  });
});

it('tabs that are put in twice open apart from each other', () => {
  const root = elementFrom(
    '<div><section><details name="tabs"></details></section><section><details name="tabs"></details><details name="tabs"></details></section></div>',
  );
  renameGroups(root.lastElementChild as HTMLElement, root);
  expect([...root.querySelectorAll('details')].map((details) => details.getAttribute('name'))).toEqual([
    'tabs',
    'tabs-2',
    'tabs-2',
  ]);
});
