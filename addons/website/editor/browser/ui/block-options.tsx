import imageIcon from 'bootstrap-icons/icons/image.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { Icon } from '#addons/web/kit';
import { t } from '#core/browser';
import {
  columnLooks,
  columnWidth,
  type LookChoice,
  otherLooks,
  pictureLooks,
  sectionLooks,
  setColumnWidth,
} from '../block-styles.ts';
import type { Drawer } from '../calls.ts';
import { chooseClass, chosenClass } from '../dom/blocks.ts';
import type { RichField } from '../fields/rich-field.ts';
import { chosenPicture, type PictureHandle } from '../pictures.ts';
import type { EditSession, SessionView } from '../session.ts';
import { DataBlockOptions } from './data-block-options.tsx';
import { Choice, CommitInput } from './fields.tsx';
import { SnippetOptions } from './snippet-options.tsx';

export interface BlockOptionsProps {
  readonly session: EditSession;
  readonly view: SessionView;
  readonly drawer: Drawer | null;
  onReplacePicture(): void;
}

/** What may be changed about the chosen block and picture. */
export function BlockOptions({ session, view, drawer, onReplacePicture }: BlockOptionsProps) {
  const picture = chosenPicture(view);
  const { block } = view;
  if (!block && !picture) return <p className="ed-none">{t('Choose a block or a picture of the page.')}</p>;
  return (
    <>
      {picture ? <PictureOptions picture={picture} onReplace={onReplacePicture} /> : null}
      {block ? (
        <Looks
          key={`looks ${keyOf(block.element)}`}
          field={block.field}
          element={block.element}
          session={session}
          drawer={drawer}
        />
      ) : null}
      {block ? <SnippetOptions field={block.field} element={block.element} drawer={drawer} session={session} /> : null}
      {block
        ? dataBlocksIn(block.element).map((element) => (
            <DataBlockOptions
              key={placeOf(element, block.field)}
              session={session}
              field={block.field}
              element={element}
              chosen={block.element}
              drawer={drawer}
            />
          ))
        : null}
    </>
  );
}

/** The chosen block where the server fills it, else those in it that the server fills. */
function dataBlocksIn(element: HTMLElement): HTMLElement[] {
  if (element.dataset.block) return [element];
  const all = Array.from(element.querySelectorAll<HTMLElement>('[data-block]'));
  return all.filter((one) => !one.parentElement?.closest('[data-block]'));
}

/** Which of the field's blocks it is. */
function placeOf(element: HTMLElement, { root }: RichField): string {
  return `${element.dataset.block} ${Array.from(root.querySelectorAll('[data-block]')).indexOf(element)}`;
}

function keyOf({ dataset, className }: HTMLElement): string {
  return `${dataset.block ?? dataset.name ?? ''} ${className}`;
}

function Looks({
  session,
  field,
  element,
  drawer,
}: {
  session: EditSession;
  field: RichField;
  element: HTMLElement;
  drawer: Drawer | null;
}) {
  const isColumn = element.parentElement?.classList.contains('row') ?? false;
  const all = element.parentElement === field.root ? sectionLooks() : isColumn ? columnLooks() : otherLooks();
  // What the snippet itself offers is not offered twice.
  const own = drawer?.snippets.find(({ id }) => id === element.dataset.name)?.options ?? [];
  const offered = new Set(
    own.flatMap(({ choices }) => choices.map(({ value }) => value)).filter((value) => value !== ''),
  );
  const looks = all.filter(({ choices }) => !choices.some(({ value }) => offered.has(value)));
  const choose = (look: LookChoice, value: string): void => {
    field.restructure(() => {
      if (look.name === 'column') setColumnWidth(element, value);
      else
        chooseClass(
          element,
          look.choices.map((choice) => choice.value),
          value,
        );
    });
    session.selectBlock(field, element);
  };
  return (
    <>
      {looks.map((look) => (
        <Choice
          key={look.name}
          label={look.label}
          value={
            look.name === 'column'
              ? columnWidth(element)
              : chosenClass(
                  element,
                  look.choices.map(({ value }) => value),
                )
          }
          choices={
            look.name === 'column' && columnWidth(element) === ''
              ? [{ value: '', label: t('As designed') }, ...look.choices]
              : look.choices
          }
          onChange={(value) => choose(look, value)}
        />
      ))}
    </>
  );
}

function PictureOptions({ picture, onReplace }: { picture: PictureHandle; onReplace(): void }) {
  return (
    <fieldset className="ed-options">
      <legend>{t('Picture')}</legend>
      <img className="ed-preview" src={picture.src} alt="" />
      <p className="ed-buttons">
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onReplace}>
          <Icon of={imageIcon} /> {t('Replace')}
        </button>
        <button type="button" className="btn btn-sm btn-outline-danger" onClick={() => picture.remove()}>
          <Icon of={trash3Icon} /> {t('Remove')}
        </button>
      </p>
      <CommitInput
        label={t('Description')}
        help={t('For those who cannot see the picture; leave it empty for mere decoration.')}
        value={picture.alt}
        onChange={(alt) => picture.setAlt(alt)}
      />
      {pictureLooks().map((look) => {
        const group = look.choices.map(({ value }) => value);
        const holder = document.createElement('img');
        holder.className = picture.classes;
        return (
          <Choice
            key={look.name}
            label={look.label}
            value={chosenClass(holder, group)}
            choices={look.choices}
            onChange={(value) => picture.setClass(group, value)}
          />
        );
      })}
    </fieldset>
  );
}
