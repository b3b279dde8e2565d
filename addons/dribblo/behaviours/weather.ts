import { replaceWith } from '#addons/website/browser';
import { RpcError, rpc } from '#core/browser';

/** Asks for newer weather once the page is shown; what there is stays until it comes. */
export default function weather(element: HTMLElement): () => void {
  let ended = false;
  void rpc<string>('/dribblo/weather')
    .then((html) => {
      if (!ended) replaceWith(element, html);
    })
    .catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
    });
  return () => {
    ended = true;
  };
}
