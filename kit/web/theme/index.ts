export * from './preferences.ts'
export * from './tones.ts'
