import { Icon } from '@pergola/web/kit';
import envelope from 'bootstrap-icons/icons/envelope.svg';
import facebook from 'bootstrap-icons/icons/facebook.svg';
import link from 'bootstrap-icons/icons/link-45deg.svg';
import linkedin from 'bootstrap-icons/icons/linkedin.svg';
import twitter from 'bootstrap-icons/icons/twitter-x.svg';
import { isPlainClick, notify, t } from 'pergola/browser';
import type { MouseEvent } from 'react';
import type { z } from 'zod';
import type schema from './share.props.ts';

/** Size of the share popup in pixels. */
const POPUP = { width: 600, height: 550 } as const;

/** Links to share a page; those to social networks open in a popup. Loads nothing from the networks in advance. */
export default function Share({ address, title }: z.infer<typeof schema>) {
  const page = encodeURIComponent(address);
  const text = encodeURIComponent(title);
  const networks = [
    { icon: facebook, label: t('Share on Facebook'), to: `https://www.facebook.com/sharer/sharer.php?u=${page}` },
    { icon: twitter, label: t('Share on X'), to: `https://x.com/intent/post?url=${page}${title && `&text=${text}`}` },
    {
      icon: linkedin,
      label: t('Share on LinkedIn'),
      to: `https://www.linkedin.com/sharing/share-offsite/?url=${page}`,
    },
  ];
  return (
    <p className="s_share" data-slot="share">
      {networks.map(({ icon, label, to }) => (
        <a
          key={to}
          className="btn btn-outline-secondary"
          href={to}
          target="_blank"
          rel="noopener nofollow"
          data-in-place
          aria-label={label}
          onClick={(event) => inWindow(event, to)}
        >
          <Icon of={icon} />
        </a>
      ))}
      <a
        className="btn btn-outline-secondary"
        href={`mailto:?${title && `subject=${text}&`}body=${page}`}
        aria-label={t('Share by email')}
      >
        <Icon of={envelope} />
      </a>
      <a
        className="btn btn-outline-secondary share-copy"
        href={address}
        data-in-place
        aria-label={t('Copy link')}
        onClick={(event) => isPlainClick(event) && void copy(event, address)}
      >
        <Icon of={link} />
      </a>
    </p>
  );
}

function inWindow(event: MouseEvent, address: string): void {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  window.open(address, '_blank', `noopener,popup,width=${POPUP.width},height=${POPUP.height}`);
}

async function copy(event: MouseEvent, address: string): Promise<void> {
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(address);
    notify(t('Link copied.'));
  } catch {
    notify(t('Couldn’t copy the link.'), 'alert');
  }
}
