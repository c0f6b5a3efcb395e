/** Constants that the build puts before `sw.js`: the hash of all kept files, and their addresses from the site's folder. */
declare const VERSION: string;
declare const FILES: readonly string[];
