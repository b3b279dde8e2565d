/** What a handler may know of the request as such. */
export interface RequestView {
  readonly id: string;
  readonly method: string;
  /** Path as routed: without language prefix, without query. */
  readonly path: string;
  /** Path and query as the visitor sees them. */
  readonly url: string;
  /** Scheme and host the visitor uses, checked against the known hosts. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The visitor's address, behind trusted proxies only as they say. */
  readonly ip: string;
  /** Sets a cookie with the reply; `maxAge` in seconds, for the session when left out. The page is then not kept. */
  setCookie(name: string, value: string, options?: { maxAge?: number; httpOnly?: boolean; path?: string }): void;
  /** Sets a header of the reply. */
  setHeader(name: string, value: string): void;
}

export type Cookies = Readonly<Record<string, string | undefined>>;

/** Where a request came in, checked. */
export interface Host {
  /** Without port, lower case. */
  readonly name: string;
  /** Scheme, name and port as the visitor uses them: `https://club.example`. */
  readonly origin: string;
}
