import { createStore, createStoredStore } from '../store.ts'

export const SKINS = ['light', 'dark', 'system', 'bordered', 'semi-dark'] as const
export type Skin = (typeof SKINS)[number]
export const LAYOUTS = ['vertical', 'horizontal'] as const
export type Layout = (typeof LAYOUTS)[number]
export const DENSITIES = ['dense', 'comfortable'] as const
export type Density = (typeof DENSITIES)[number]

/** What a person chose about how things look here; remembered in this browser. */
export interface Preferences {
  readonly skin: Skin
  readonly layout: Layout
  readonly density: Density
  /** The vertical menu shows only icons. */
  readonly collapsed: boolean
  readonly menuHidden: boolean
  /** Width of the content on wide screens. */
  readonly width: 'full' | 'boxed'
  readonly navbar: 'sticky' | 'static' | 'hidden'
  readonly navbarColour: 'plain' | 'accent'
  readonly footer: 'static' | 'hidden'
  /** Fade between screens. */
  readonly transition: boolean
}

export const DEFAULT_PREFERENCES: Preferences = {
  skin: 'system',
  layout: 'vertical',
  density: 'dense',
  collapsed: true,
  menuHidden: false,
  width: 'full',
  navbar: 'sticky',
  navbarColour: 'plain',
  footer: 'static',
  transition: false,
}

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.includes(value as T) ? (value as T) : otherwise

/** Kept preferences may come from an older version: unknown values fall back one by one. */
export const restorePreferences = (kept: unknown): Preferences => {
  const k = (kept ?? {}) as Partial<Record<keyof Preferences, unknown>>
  const d = DEFAULT_PREFERENCES
  return {
    skin: oneOf(SKINS, k.skin, d.skin),
    layout: oneOf(LAYOUTS, k.layout, d.layout),
    density: oneOf(DENSITIES, k.density, d.density),
    collapsed: typeof k.collapsed === 'boolean' ? k.collapsed : d.collapsed,
    menuHidden: typeof k.menuHidden === 'boolean' ? k.menuHidden : d.menuHidden,
    width: oneOf(['full', 'boxed'], k.width, d.width),
    navbar: oneOf(['sticky', 'static', 'hidden'], k.navbar, d.navbar),
    navbarColour: oneOf(['plain', 'accent'], k.navbarColour, d.navbarColour),
    footer: oneOf(['static', 'hidden'], k.footer, d.footer),
    transition: typeof k.transition === 'boolean' ? k.transition : d.transition,
  }
}

export const preferencesStore = createStoredStore('ems.preferences', DEFAULT_PREFERENCES, restorePreferences)

/** The horizontal layout has no side menu to darken: semi-dark becomes light there. */
export const effective = (p: Preferences): Preferences =>
  p.layout === 'horizontal' && p.skin === 'semi-dark' ? { ...p, skin: 'light' } : p

const darkWish = typeof window === 'undefined' ? null : window.matchMedia('(prefers-color-scheme: dark)')
const systemDark = createStore(darkWish?.matches ?? false)
darkWish?.addEventListener('change', () => systemDark.set(darkWish.matches))
/** The skin that is shown: that of the system where it decides. */
export function useShownSkin(): Exclude<Skin, 'system'> {
  const { skin } = effective(preferencesStore.use())
  const dark = systemDark.use()
  return skin === 'system' ? (dark ? 'dark' : 'light') : skin
}

/** How things look here, and the way to change it. */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const kept = preferencesStore.use()
  return [effective(kept), change]
}
const change = (part: Partial<Preferences>): void => preferencesStore.set((p) => effective({ ...p, ...part }))
/** Height of rows: 36 px dense, 44 comfortable. */
export const useDensity = (): Density => preferencesStore.use().density
