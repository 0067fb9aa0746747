export * from './client.ts'
export * from './error.ts'
export * from './hooks.ts'
