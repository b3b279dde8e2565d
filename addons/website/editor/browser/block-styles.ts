import { t } from '#core/browser';

/** A choice of looks that every block has; the values are classes. */
export interface LookChoice {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

/** Backgrounds, spacing, width: what sections at the top of a page may be given. */
export function sectionLooks(): LookChoice[] {
  return [
    {
      name: 'background',
      label: t('Background'),
      choices: [
        { value: '', label: t('None') },
        { value: 's_tone_soft', label: t('Soft') },
        { value: 's_tone_strong', label: t('Strong') },
      ],
    },
    {
      name: 'padding',
      label: t('Space above and below'),
      choices: [
        { value: '', label: t('As designed') },
        { value: 'py-0', label: t('None') },
        { value: 'py-3', label: t('Small') },
        { value: 'py-5', label: t('Medium') },
        { value: 'py-6', label: t('Large') },
      ],
    },
    {
      name: 'width',
      label: t('Width'),
      choices: [
        { value: 's_narrow', label: t('Narrow') },
        { value: '', label: t('Normal') },
        { value: 's_wide', label: t('Wide') },
        { value: 's_full', label: t('Full') },
      ],
    },
    visibility(),
  ];
}

/** Of columns: how many twelfths they take from tablets on, and their ground. */
export function columnLooks(): LookChoice[] {
  return [
    {
      name: 'column',
      label: t('Width'),
      choices: ['3', '4', '5', '6', '7', '8', '9', '12'].map((twelfths) => ({
        value: `col-md-${twelfths}`,
        label: t('{n} of 12', { n: twelfths }),
      })),
    },
    visibility(),
  ];
}

/** Of everything else that can be chosen. */
export function otherLooks(): LookChoice[] {
  return [visibility()];
}

/** Of pictures. */
export function pictureLooks(): LookChoice[] {
  return [
    {
      name: 'corners',
      label: t('Corners'),
      choices: [
        { value: '', label: t('As designed') },
        { value: 'rounded-0', label: t('Square') },
        { value: 'rounded', label: t('Rounded') },
        { value: 'rounded-circle', label: t('Round') },
      ],
    },
    {
      name: 'size',
      label: t('Size'),
      choices: [
        { value: '', label: t('As it is') },
        { value: 'w-25', label: '25 %' },
        { value: 'w-50', label: '50 %' },
        { value: 'w-75', label: '75 %' },
        { value: 'w-100', label: '100 %' },
      ],
    },
  ];
}

function visibility(): LookChoice {
  return {
    name: 'visibility',
    label: t('Shown'),
    choices: [
      { value: '', label: t('Everywhere') },
      { value: 'd-none d-md-block', label: t('Not on phones') },
      { value: 'd-md-none', label: t('On phones only') },
    ],
  };
}

const columnClass = /^col(-(sm|md|lg|xl))?(-(\d+|auto))?$/;

/** The width of a column as one of the choices; the largest screen's counts. */
export function columnWidth(element: Element): string {
  const classes = [...element.classList].filter((name) => columnClass.test(name) && /\d$/.test(name));
  const twelfths = /(\d+)$/.exec(classes.at(-1) ?? '')?.[1];
  return twelfths ? `col-md-${twelfths}` : '';
}

/** Gives a column another width on larger screens; on phones it takes the whole line. */
export function setColumnWidth(element: Element, choice: string): void {
  for (const name of [...element.classList]) if (columnClass.test(name)) element.classList.remove(name);
  element.classList.add(choice);
}
