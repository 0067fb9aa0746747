/** Computed when the application is built, from what the areas declare; see `apps/build/screens.ts`. */
declare module 'virtual:screens' {
  export const SCREENS: readonly import('./screens.ts').ScreenInfo[]
}
/** Titles in the order of `SCREENS`, in one language: a chunk each. */
declare module 'virtual:titles' {
  export const TITLES: Readonly<Record<string, () => Promise<{ default: readonly string[] }>>>
}
