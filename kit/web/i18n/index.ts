export * from './catalogue.ts'
export * from './format.ts'
export * from './language.ts'
