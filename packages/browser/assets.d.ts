// Style sheets of islands and behaviours: esbuild bundles them, nothing is imported from them.
declare module '*.css';
/** An icon as islands import it: its view box, and what is drawn in it. */
declare module 'bootstrap-icons/icons/*.svg' {
  const icon: readonly [viewBox: string, shape: string];
  export default icon;
}
