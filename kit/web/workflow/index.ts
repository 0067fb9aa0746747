export * from './history.tsx'
export * from './reason.tsx'
export * from './steps.tsx'
export * from './why-not.tsx'
