/** Computed when the application is built, from what the areas declare; see `apps/build/screens.ts`. */
declare module 'virtual:screens' {
  export const SCREENS: readonly import('./screens.ts').ScreenInfo[]
  /** Groups of the menu, in order. */
  export const GROUPS: readonly { readonly key: string; readonly icon: string }[]
}
/** Web sides of the areas, and definitions of plain resources. */
declare module 'virtual:areas' {
  export const AREA_WEBS: import('./load.tsx').AreaLoaders
  export const PLAIN_RESOURCES: import('./load.tsx').PlainResources
  export const OUTLETS: import('./load.tsx').Outlets
}
/** Titles in the order of `SCREENS` and names of the menu's groups, in one language: a chunk each. */
declare module 'virtual:titles' {
  export const TITLES: Readonly<Record<string, () => Promise<{ default: import('./screens.ts').Titles }>>>
}
/** The icons of the menu's groups, and those that screens name in their place in the menu. */
declare module 'virtual:icons' {
  export const ICONS: Readonly<Record<string, import('@tabler/icons-react').Icon>>
}
