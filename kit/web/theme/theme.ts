import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core'
import { createTheme, defaultVariantColorsResolver } from '@mantine/core'
import { scaleOf } from './colour.ts'

export const DEFAULT_ACCENT = '#2f5fb3'

const slate: MantineColorsTuple = [
  '#f6f7f9',
  '#eef0f4',
  '#e2e6ed',
  '#cfd5df',
  '#a9b2c1',
  '#7f8a9c',
  '#667085',
  '#4b5567',
  '#333c4d',
  '#1a2233',
]
/** Text 0 to ground 9; every step of text reads on every step of ground (AA). */
const dark: MantineColorsTuple = [
  '#e6e9ef',
  '#c6cdd8',
  '#a9b3c2',
  '#8f9aab',
  '#3c4657',
  '#2e3746',
  '#232a36',
  '#171c25',
  '#10141b',
  '#0b0e14',
]

const tuple = (hex: string): MantineColorsTuple => scaleOf(hex)

/** The title line of a dialog is a `<header>`, which screen readers would take for the page's. */
const NOT_A_BANNER = { header: { role: 'presentation' } }

/** A title of two lines keeps the distance of its language: Arabic letters reach further up and down. */
const TITLE = { fontWeight: 600, fontSize: '16px', lineHeight: 'inherit' } as const

/** The look, with a university's accent. `close` names the cross of dialogs, in the reader's language. */
export const makeTheme = (accent: string, close: string): MantineThemeOverride =>
  createTheme({
    colors: {
      accent: tuple(accent),
      gray: slate,
      dark,
      red: tuple('#c4342b'),
      green: tuple('#1c7a4a'),
      yellow: tuple('#a35f06'),
      orange: tuple('#b4530f'),
      teal: tuple('#0f766e'),
      blue: tuple('#2563a8'),
    },
    primaryColor: 'accent',
    primaryShade: { light: 6, dark: 6 },
    white: '#ffffff',
    black: '#1a2233',
    fontFamily: 'var(--font)',
    fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
    headings: {
      fontFamily: 'var(--font)',
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '22px', lineHeight: '1.3' },
        h2: { fontSize: '18px', lineHeight: '1.35' },
        h3: { fontSize: '16px', lineHeight: '1.4' },
        h4: { fontSize: '14px', lineHeight: '1.45' },
        h5: { fontSize: '14px', lineHeight: '1.45' },
        h6: { fontSize: '13px', lineHeight: '1.45' },
      },
    },
    fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: {
      xs: 'var(--leading)',
      sm: 'var(--leading)',
      md: 'var(--leading)',
      lg: 'var(--leading)',
      xl: 'var(--leading)',
    },
    spacing: { xs: '6px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
    radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
    defaultRadius: 'sm',
    shadows: {
      xs: 'var(--shadow-1)',
      sm: 'var(--shadow-1)',
      md: 'var(--shadow-2)',
      lg: 'var(--shadow-3)',
      xl: 'var(--shadow-3)',
    },
    breakpoints: { xs: '30em', sm: '48em', md: '62em', lg: '75em', xl: '88em' },
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    fontSmoothing: true,
    variantColorResolver: (input) => {
      const base = defaultVariantColorsResolver(input)
      const name = input.color ?? input.theme.primaryColor
      const isNamed = name in input.theme.colors
      if (!isNamed) return base
      const quiet = name === 'gray' || name === 'dark'
      const text = quiet ? 'var(--text)' : `var(--mantine-color-${name}-text)`
      const soft = quiet ? 'var(--surface-sunken)' : `var(--mantine-color-${name}-light)`
      const softer = quiet ? 'var(--surface-hover)' : `var(--mantine-color-${name}-light-hover)`
      switch (input.variant) {
        case 'filled':
          return quiet
            ? {
                background: 'var(--text-dim)',
                hover: 'var(--text)',
                color: 'var(--surface-raised)',
                border: '1px solid transparent',
              }
            : {
                background: `var(--mantine-color-${name}-6)`,
                hover: `var(--mantine-color-${name}-7)`,
                color: '#ffffff',
                border: '1px solid transparent',
              }
        case 'light':
          return { background: soft, hover: softer, color: text, border: '1px solid transparent' }
        case 'subtle':
          return { background: 'transparent', hover: soft, color: text, border: '1px solid transparent' }
        case 'outline':
          return {
            background: 'transparent',
            hover: soft,
            color: text,
            border: `1px solid ${quiet ? 'var(--line-strong)' : text}`,
          }
        case 'transparent':
          return { background: 'transparent', hover: 'transparent', color: text, border: '1px solid transparent' }
        default:
          return base
      }
    },
    components: {
      Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500, paddingInline: '14px' } } },
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
      Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 80 }, fz: 12 } },
      Modal: {
        defaultProps: {
          transitionProps: { duration: 120, transition: 'fade' },
          centered: true,
          overlayProps: { backgroundOpacity: 0.45 },
          attributes: NOT_A_BANNER,
          closeButtonProps: { 'aria-label': close },
        },
        styles: { title: TITLE },
      },
      Drawer: {
        defaultProps: {
          transitionProps: { duration: 140 },
          overlayProps: { backgroundOpacity: 0.35 },
          attributes: NOT_A_BANNER,
          closeButtonProps: { 'aria-label': close },
        },
        styles: { title: TITLE },
      },
      Menu: {
        defaultProps: {
          withInitialFocusPlaceholder: false,
          transitionProps: { duration: 80 },
          shadow: 'md',
          position: 'bottom-start',
          withinPortal: true,
        },
      },
      Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
      Combobox: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
      // What is optional says so; what is asked for needs no star.
      InputWrapper: {
        defaultProps: { withAsterisk: false },
        styles: { label: { marginBlockEnd: '5px', fontWeight: 500 }, error: { marginBlockStart: '5px' } },
      },
      // What is typed into a select takes the place of what was chosen, instead of standing behind it.
      Select: {
        defaultProps: { onFocus: (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select() },
      },
      Paper: { defaultProps: { radius: 'md' } },
      Loader: { defaultProps: { type: 'oval', size: 'sm' } },
      Anchor: { defaultProps: { underline: 'hover' } },
    },
  })

const NAMES = ['accent', 'red', 'green', 'yellow', 'orange', 'teal', 'blue'] as const

/** Mantine's own variables, tied to ours so that every component keeps AA contrast in every skin. */
export const variables: CSSVariablesResolver = (theme) => {
  const light: Record<string, string> = {}
  const darkOnes: Record<string, string> = {}
  for (const name of NAMES) {
    const c = theme.colors[name]!
    light[`--mantine-color-${name}-text`] = c[7]!
    light[`--mantine-color-${name}-filled`] = c[6]!
    light[`--mantine-color-${name}-filled-hover`] = c[7]!
    light[`--mantine-color-${name}-light`] = c[0]!
    light[`--mantine-color-${name}-light-hover`] = c[1]!
    light[`--mantine-color-${name}-light-color`] = c[7]!
    light[`--mantine-color-${name}-outline`] = c[6]!
    darkOnes[`--mantine-color-${name}-text`] = c[3]!
    darkOnes[`--mantine-color-${name}-filled`] = c[6]!
    darkOnes[`--mantine-color-${name}-filled-hover`] = c[7]!
    darkOnes[`--mantine-color-${name}-light`] = `color-mix(in oklab, ${c[5]} 18%, #171c25)`
    darkOnes[`--mantine-color-${name}-light-hover`] = `color-mix(in oklab, ${c[5]} 26%, #171c25)`
    darkOnes[`--mantine-color-${name}-light-color`] = c[2]!
    darkOnes[`--mantine-color-${name}-outline`] = c[4]!
  }
  const shared = {
    '--mantine-color-body': 'var(--surface-raised)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-bright': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-dim)',
    '--mantine-color-placeholder': 'var(--text-faint)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-error': 'var(--tone-refused)',
    '--mantine-color-default': 'var(--surface-raised)',
    '--mantine-color-default-hover': 'var(--surface-hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--surface-sunken)',
    '--mantine-color-disabled-color': 'var(--text-faint)',
    '--mantine-color-disabled-border': 'var(--line)',
  }
  return { variables: {}, light: { ...light, ...shared }, dark: { ...darkOnes, ...shared } }
}
