export { FileError, checkBytes, checkFile, maxFileBytes } from './check.ts'
export type { FileErrorCode, FileKind } from './check.ts'
export { StoreError, openStorage, tryStorage } from './storage.ts'
export type { Content, PutOptions, Storage, Stored } from './storage.ts'
