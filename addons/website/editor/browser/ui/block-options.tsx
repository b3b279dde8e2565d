import { t } from 'pergola/browser';
import type { Drawer } from '../calls.ts';
import { nameOfBlock } from '../dom/block-name.ts';
import type { RichField } from '../fields/rich-field.ts';
import type { Part } from '../options.ts';
import { chosenParts, mediaPart } from '../parts.ts';
import { chosenPicture } from '../pictures.ts';
import type { EditSession, SessionView } from '../session.ts';
import { BehindOptions, type ChooseMedia } from './behind-options.tsx';
import { DataBlockOptions, type EditForm } from './data-block-options.tsx';
import { LinkAddress } from './link-address.tsx';
import { OptionFields, optionGroups } from './option-fields.tsx';
import { PictureOptions } from './picture-options.tsx';
import { TableTools } from './table-tools.tsx';

export interface BlockOptionsProps {
  readonly session: EditSession;
  readonly view: SessionView;
  readonly drawer: Drawer | null;
  readonly onMedia: ChooseMedia;
  readonly onForm: EditForm;
}

/** Options of the selected parts, innermost first; ancestors are collapsed. */
export function BlockOptions({ session, view, drawer, onMedia, onForm }: BlockOptionsProps) {
  const parts = chosenParts(session, view);
  const picture = chosenPicture(view);
  const media = picture ? null : mediaPart(session, view);
  const { block } = view;
  if (parts.length === 0) return <p className="ed-none">{t('Select a block or image on the page.')}</p>;
  if (!drawer) return <p className="ed-none">{t('One moment…')}</p>;
  return (
    <>
      {block
        ? dataBlocksIn(block.element).map((element) => (
            <DataBlockOptions
              key={placeOf(element, block.field)}
              session={session}
              field={block.field}
              element={element}
              chosen={block.element}
              drawer={drawer}
              onForm={onForm}
            />
          ))
        : null}
      {media ? (
        <fieldset className="ed-options">
          <legend>{t('Video, map or music')}</legend>
          <LinkAddress
            part={media}
            help={t('From YouTube, Vimeo, Dailymotion, Spotify or OpenStreetMap, or a video from this site.')}
            onMedia={onMedia}
          />
        </fieldset>
      ) : null}
      {parts.map((part, index) => (
        <details key={part.key} className="ed-part" open={index === 0}>
          <summary>{nameOf(part)}</summary>
          {part.kind === 'picture' && picture ? <PictureOptions picture={picture} onMedia={onMedia} /> : null}
          {part.kind === 'button' ? <LinkAddress part={part} onMedia={onMedia} /> : null}
          {part.kind === 'table' ? <TableTools part={part} cell={view.region?.region.element ?? null} /> : null}
          <OwnOptions part={part} drawer={drawer} />
          {optionGroups().map(([group, label]) => {
            const options = drawer.options.filter((option) => option.group === group && option.for.includes(part.kind));
            if (options.length === 0) return null;
            return (
              <fieldset key={group} className="ed-options">
                <legend>{label}</legend>
                <OptionFields part={part} options={options} />
                {group === 'background' ? <BehindOptions part={part} onMedia={onMedia} /> : null}
              </fieldset>
            );
          })}
        </details>
      ))}
    </>
  );
}

/** Options defined by the snippet that a part was made from. */
function OwnOptions({ part, drawer }: { part: Part; drawer: Drawer }) {
  const snippet = drawer.snippets.find(({ id }) => id === part.element.dataset.name);
  if (!snippet || snippet.options.length === 0) return null;
  return (
    <fieldset className="ed-options">
      <legend>{snippet.label}</legend>
      <OptionFields part={part} options={snippet.options} />
    </fieldset>
  );
}

function nameOf({ kind, element }: Part): string {
  if (kind === 'picture') return t('Image');
  if (kind !== 'button') return nameOfBlock(element);
  return element.classList.contains('btn') ? t('Button') : t('Link');
}

/** The selected block if it is server-rendered, otherwise the server-rendered blocks in it. */
function dataBlocksIn(element: HTMLElement): HTMLElement[] {
  if (element.dataset.block) return [element];
  const all = Array.from(element.querySelectorAll<HTMLElement>('[data-block]'));
  return all.filter((block) => !block.parentElement?.closest('[data-block]'));
}

/** Position of the block in its field. */
function placeOf(element: HTMLElement, { root }: RichField): string {
  return `${element.dataset.block} ${Array.from(root.querySelectorAll('[data-block]')).indexOf(element)}`;
}
