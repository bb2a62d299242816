declare module '*.css';

/** Vite emits the file and gives its address. */
declare module '*?url' {
  const address: string;
  export default address;
}

interface ImportMeta {
  /** Vite puts the files that match into the bundle. */
  glob<T>(pattern: string, options: { eager: true; import: 'default' }): Record<string, T>;
}
