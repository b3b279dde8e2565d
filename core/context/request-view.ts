/** The request as seen by handlers. */
export interface RequestView {
  readonly id: string;
  readonly method: string;
  /** Routed path, without language prefix and query. */
  readonly path: string;
  /** Path and query as seen by the visitor. */
  readonly url: string;
  /** Scheme and host used by the visitor, checked against the known hosts. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Address of the visitor; forwarded headers count only from trusted proxies. */
  readonly ip: string;
  /** Sets a cookie on the response; `maxAge` is in seconds; without it, the cookie lasts for the session. Keeps the page from being cached. */
  setCookie(name: string, value: string, options?: { maxAge?: number; httpOnly?: boolean; path?: string }): void;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): void;
}

export type Cookies = Readonly<Record<string, string | undefined>>;

/** The checked host of a request. */
export interface Host {
  /** Lowercase, without port. */
  readonly name: string;
  /** Scheme, name and port as used by the visitor: `https://club.example`. */
  readonly origin: string;
}
