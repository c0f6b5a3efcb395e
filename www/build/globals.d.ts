/** Constants that the build puts before `sw.js`: the hash of all kept files; each file's SHA-256 hash and media type, by its address from the site's folder. */
declare const VERSION: string;
declare const FILES: Readonly<Record<string, readonly [hash: string, type: string]>>;

interface ImportMetaEnv {
  /** Length of the wasm, without packing. */
  readonly WASM_BYTES: number;
}
