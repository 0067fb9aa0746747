export * from './calls.ts'
export * from './me.ts'
