// Style sheets of islands and elements: esbuild bundles them, nothing is imported from them.
declare module '*.css';
