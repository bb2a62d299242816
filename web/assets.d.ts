declare module '*.css';

/** Vite makes a worker of the file, inside the script that starts it. */
declare module '*?worker&inline' {
  const worker: new () => Worker;
  export default worker;
}

/** The compiled core, as the offline file's build finds it. */
declare module 'virtual:core' {
  const createModule: (options: object) => Promise<unknown>;
  export default createModule;
}

interface ImportMeta {
  /** Vite puts the files that match into the bundle. */
  glob<T>(pattern: string, options: { eager: true; import: 'default' }): Record<string, T>;
  /** The same, each loaded when it is called. */
  glob<T>(pattern: string, options: { import: 'default' }): Record<string, () => Promise<T>>;
}
