export * from './client.ts'
export * from './print.ts'
export * from './error.ts'
export * from './hooks.ts'
