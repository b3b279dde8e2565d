/** The part of libheif-js that is used; it comes without types of its own. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (shown: object | null) => void,
    ): void;
  }
  const libheif: { readonly HeifDecoder: new () => { decode(content: Uint8Array): HeifImage[] } };
  export default libheif;
}
