import { emit, rpc } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import type { z } from 'zod';
import type { trackingLastOrder } from '../routes/confirmation.ts';
import type { getStatus } from '../routes/payment.ts';
import { tellOrderChanged } from './parts/order-changed.ts';
import { count } from './parts/statistics.ts';
import type schema from './status.props.ts';

interface Status {
  readonly state: string;
  readonly message: string;
  readonly validation: string | null;
}

/** Poll interval in milliseconds, and number of polls after the first. */
const POLL_INTERVAL = 1000;
const MAX_POLLS = 5;
const looks: Readonly<Record<string, string>> = {
  done: 'success',
  pending: 'info',
  error: 'danger',
  cancel: 'warning',
};

/**
 * Payment status of an order: fetched right away, then every second while an automatically confirmed payment is pending, at most five more
 * times. Its content is the initial status. Publishes the purchased items to other parts of the page, once.
 */
export default function PaymentStatus({
  order,
  state,
  validation,
  look,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const news = useStatus(order, state);
  const now = news ?? { state, validation };
  const attributes = {
    className: `oe_cart oe_website_sale_tx_status alert alert-${news ? (looks[news.state] ?? 'info') : look}`,
    'data-order-id': order,
    'data-state': now.state,
    'data-validation': now.validation ?? '',
    role: 'status',
    'data-slot': 'status',
  };
  // Rendered by the server from its own texts and from sanitized texts by editors.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a template of the server made it
  if (news) return <div {...attributes} dangerouslySetInnerHTML={{ __html: news.message }} />;
  return <div {...attributes}>{children}</div>;
}

/** Returns the status if it changed since the page was rendered, otherwise null. */
function useStatus(order: number, initialState: string): Status | null {
  const [news, setNews] = useState<Status | null>(null);
  useEffect(() => {
    count(`order_confirmed/${order}`);
    void rpc<typeof trackingLastOrder>('/shop/tracking_last_order')
      .then((bought) => emit('website_sale.bought', bought))
      .catch(() => undefined);
  }, [order]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async (attemptsLeft: number, shownState: string): Promise<void> => {
      const answer = await rpc<typeof getStatus>(`/shop/payment/get_status/${order}`).catch(() => null);
      if (isOver || !answer) return;
      if (answer.state !== shownState) {
        setNews(answer);
        tellOrderChanged(answer.state);
      }
      if (answer.state !== 'pending' || answer.validation !== 'automatic' || attemptsLeft === 0) return;
      timer = setTimeout(() => void ask(attemptsLeft - 1, answer.state), POLL_INTERVAL);
    };
    void ask(MAX_POLLS, initialState);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [order, initialState]);
  return news;
}
