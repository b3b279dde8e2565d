import arrowDownIcon from 'bootstrap-icons/icons/arrow-down.svg';
import arrowUpIcon from 'bootstrap-icons/icons/arrow-up.svg';
import arrowUpLeftSquareIcon from 'bootstrap-icons/icons/arrow-up-left-square.svg';
import bookmarkIcon from 'bootstrap-icons/icons/bookmark-plus.svg';
import chevronLeftIcon from 'bootstrap-icons/icons/chevron-left.svg';
import chevronRightIcon from 'bootstrap-icons/icons/chevron-right.svg';
import copyIcon from 'bootstrap-icons/icons/copy.svg';
import slidersIcon from 'bootstrap-icons/icons/sliders.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { BlockOption } from '../../../snippets/point.ts';
import type { BlockActions } from '../block-actions.ts';
import { nameOfBlock } from '../dom/block-name.ts';
import { blockPath, moveAction } from '../dom/blocks.ts';
import type { EditSession, SessionView } from '../session.ts';
import { ColumnHandle } from './column-handle.tsx';
import { SpaceHandle } from './space-handle.tsx';
import { moveToolFocus, ToolButton } from './tool-button.tsx';

export interface BlockOverlayProps {
  readonly session: EditSession;
  readonly view: SessionView;
  readonly actions: BlockActions;
  /** Options of all parts of a kind. */
  readonly options: readonly BlockOption[];
  say(text: string): void;
  onOptions(): void;
  onKeep(block: NonNullable<SessionView['block']>): void;
}

/** Frame around the selected block with its actions. */
export function BlockOverlay({ session, view, actions, options, say, onOptions, onKeep }: BlockOverlayProps) {
  const element = view.block?.element ?? null;
  const bar = useRef<HTMLDivElement>(null);
  const box = useBox(element, bar);
  const { block } = view;
  if (!block || !element || !box) return null;
  const { field } = block;
  const path = blockPath(field.root, element);
  // Columns and list items can't be saved as separate blocks.
  const [savable = element] = path;
  const isAcross = element.parentElement?.classList.contains('row') ?? false;
  const optionOf = (name: string): BlockOption | undefined => options.find(({ id }) => id === name);
  const width = optionOf('website.column_width');
  const act = (text: string): void => {
    say(text);
    bar.current?.querySelector<HTMLElement>(':focus')?.focus();
  };
  return (
    <>
      <div className="ed-frame" style={{ top: box.top, left: box.left, width: box.width, height: box.height }} />
      {isAcross && width ? (
        <ColumnHandle
          key={path.length}
          session={session}
          block={block}
          width={width}
          style={{ top: box.top, left: box.left + box.width, height: box.height }}
        />
      ) : null}
      {(['above', 'below'] as const).map((edge) => {
        const space = optionOf(`website.space_${edge}`);
        return space ? (
          <SpaceHandle
            key={`${edge} ${path.length}`}
            session={session}
            block={block}
            space={space}
            edge={edge}
            style={{ top: edge === 'above' ? box.top : box.top + box.height, left: box.left + box.width / 2 }}
          />
        ) : null;
      })}
      <div
        ref={bar}
        className="ed-block-bar"
        role="toolbar"
        aria-label={t('Block: {name}', { name: nameOfBlock(element) })}
        style={{ top: box.barTop, left: box.barLeft }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return moveToolFocus(event);
          session.selectBlock(field, null);
          field.activateIn(element);
        }}
      >
        {path.length > 1 ? (
          <ToolButton icon={arrowUpLeftSquareIcon} label={t('Select parent block')} onPress={() => actions.widen()} />
        ) : null}
        <span className="ed-block-name">{nameOfBlock(element)}</span>
        <ToolButton
          icon={isAcross ? chevronLeftIcon : arrowUpIcon}
          label={isAcross ? t('Move before') : t('Move up')}
          keys="Alt+Shift+↑"
          disabled={!moveAction(field.root, element, 'up')}
          onPress={() => act(actions.move('up'))}
        />
        <ToolButton
          icon={isAcross ? chevronRightIcon : arrowDownIcon}
          label={isAcross ? t('Move after') : t('Move down')}
          keys="Alt+Shift+↓"
          disabled={!moveAction(field.root, element, 'down')}
          onPress={() => act(actions.move('down'))}
        />
        <ToolButton
          icon={copyIcon}
          label={t('Duplicate')}
          keys="Alt+Shift+D"
          onPress={() => act(actions.duplicate())}
        />
        <ToolButton icon={slidersIcon} label={t('Options')} keys="Alt+Shift+O" onPress={onOptions} />
        {savable.dataset.block ? null : (
          <ToolButton
            icon={bookmarkIcon}
            label={t('Save this block')}
            onPress={() => {
              session.selectBlock(field, savable);
              onKeep({ field, element: savable });
            }}
          />
        )}
        <ToolButton
          icon={trash3Icon}
          label={t('Remove')}
          keys="Alt+Shift+Delete"
          className="ed-danger"
          onPress={() => act(actions.remove())}
        />
      </div>
    </>
  );
}

interface Box {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly barTop: number;
  readonly barLeft: number;
}

const toolbarHeight = 56;
const barHeight = 40;
/** Half the height of the handle on the block's upper edge. */
const edgeHeight = 12;

/** Bounding box of an element, updated as the page changes. */
function useBox(element: HTMLElement | null, bar: RefObject<HTMLElement | null>): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  // A newly selected option can move the element.
  useLayoutEffect(() => {
    if (element) setBox((previous) => sameOr(previous, boxOf(element, bar.current)));
  });
  useLayoutEffect(() => {
    if (!element) return setBox(null);
    const measure = (): void => setBox((previous) => sameOr(previous, boxOf(element, bar.current)));
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    sizes.observe(document.body);
    const changes = new MutationObserver(measure);
    if (element.parentElement) changes.observe(element.parentElement, { childList: true });
    window.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      changes.disconnect();
      window.removeEventListener('scroll', measure);
    };
  }, [element, bar]);
  return box;
}

/** Places the bar on the block's upper edge, clear of the side panel and visible as long as part of the block is. */
function boxOf(element: HTMLElement, bar: HTMLElement | null): Box {
  const rect = element.getBoundingClientRect();
  const isBelow = window.innerWidth < 768;
  const lowest = isBelow ? 8 : toolbarHeight + 4;
  const barAt = Math.min(
    Math.max(rect.top - barHeight - edgeHeight, lowest),
    Math.max(rect.bottom - barHeight, lowest),
  );
  const x = Math.max(rect.left + window.scrollX, 4);
  const room = document.body.clientWidth - Number.parseFloat(getComputedStyle(document.body).paddingInlineEnd || '0');
  return {
    top: rect.top + window.scrollY,
    left: x,
    barLeft: Math.max(4, Math.min(x, room - (bar?.offsetWidth ?? 0) - 4)),
    width: Math.min(rect.right + window.scrollX, room - 4) - x,
    height: rect.height,
    barTop: barAt + window.scrollY,
  };
}

function sameOr(previous: Box | null, now: Box): Box {
  return previous && Object.entries(now).every(([name, value]) => previous[name as keyof Box] === value)
    ? previous
    : now;
}
