/** What a definition is made of. */
export * from './area.ts'
export * from './call.ts'
export * from './errors.ts'
export * from './field.ts'
export * from './resource.ts'
export * from './schema.ts'
export * from './screen.ts'
export * from './words.ts'
