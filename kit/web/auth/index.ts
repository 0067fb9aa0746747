export * from './calls.ts'
export { onEvent, useEvent } from './events.ts'
export * from './me.ts'
export { sessionOpened, signOut } from './session.ts'
