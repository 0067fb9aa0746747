export * from './calls.ts'
export { onEvent, useEvent } from './events.ts'
export * from './me.ts'
export { signOut } from './session.ts'
