/** All of them, under a name that light pages do not replace. */
export * from './files.ts'
