declare module 'virtual:core-bytes' {
  /** The core's WebAssembly, for `bytesOf`. */
  export const text: string;
  export const rare: number[];
}

declare module '*.css?inline' {
  const css: string;
  export default css;
}
