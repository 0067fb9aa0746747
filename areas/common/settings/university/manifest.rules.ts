import type { Language } from '#kit/contract/index.ts'

/** What of the university's settings stands on a home screen. */
export interface Installable {
  readonly university_name: string
  readonly university_name_local: string
  readonly university_short_name: string
  /** `#rrggbb` */
  readonly accent_colour: string
  /** Id of a picture; empty: the product's own sign. */
  readonly university_logo: string
}

/** Icons by name: their size, and whether the sign stands clear of the edge, which phones cut round (`maskable`). */
export const ICONS = {
  'icon-192': { size: 192, purpose: 'any' },
  'icon-512': { size: 512, purpose: 'any' },
  'maskable-192': { size: 192, purpose: 'maskable' },
  'maskable-512': { size: 512, purpose: 'maskable' },
  /** iPhones take this one, and round it themselves. */
  'apple-touch-icon': { size: 180, purpose: 'maskable' },
} as const
export type IconName = keyof typeof ICONS

/** Changes with what an icon shows, so that phones fetch the new one. */
export const iconVersion = ({ accent_colour, university_logo }: Installable): string =>
  university_logo ? `logo-${university_logo}` : accent_colour.slice(1)

/** The web app manifest, by which phones install the application: the university's name, colour and sign. */
export function manifestOf(set: Installable, lang: Language) {
  const name = lang === 'ar' ? set.university_name_local : set.university_name
  return {
    id: '/',
    name,
    short_name: set.university_short_name || name,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    theme_color: set.accent_colour,
    // The ground while it starts: between the two skins' grounds nothing else is known.
    background_color: '#f6f7f9',
    icons: Object.entries(ICONS)
      .filter(([icon]) => icon !== 'apple-touch-icon')
      .map(([icon, { size, purpose }]) => ({
        src: `/icons/${icon}.png?v=${iconVersion(set)}`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
  }
}
