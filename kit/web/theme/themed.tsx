import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useT } from '../i18n/catalogue.ts'
import { directionOf, language, useLanguage } from '../i18n/language.ts'
import { styleNonce } from './nonce.ts'
import { usePreferences, useShownSkin } from './preferences.ts'
import { makeTheme, variables } from './theme.ts'
import { accentOf, useUniversity } from './university.ts'

/** Keeps the page itself in step: direction, skin and density. */
function Look({ children }: { children: ReactNode }) {
  const l = useLanguage()
  const { setDirection, dir } = useDirection()
  const [{ density }] = usePreferences()
  const skin = useShownSkin()
  const wanted = directionOf(l)
  useEffect(() => {
    if (dir !== wanted) setDirection(wanted)
  }, [dir, wanted, setDirection])
  useEffect(() => {
    document.documentElement.dataset.skin = skin
    document.documentElement.dataset.density = density
    tellPhone(l)
  }, [skin, density, l])
  return children
}

/** The bars of a phone are as the ground of the skin, also one that is not the system's; what is installed is named in the reader's language. */
function tellPhone(l: string): void {
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', ground)
  document.querySelector('link[rel="manifest"]')?.setAttribute('href', `/manifest.webmanifest?lang=${l}`)
}

/** Colours, direction and fonts around everything. */
export function Themed({ children }: { children: ReactNode }) {
  const accent = accentOf(useUniversity())
  const t = useT('kit')
  const theme = useMemo(() => makeTheme(accent, t('close')), [accent, t])
  const skin = useShownSkin()
  return (
    <DirectionProvider initialDirection={directionOf(language())} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        getStyleNonce={styleNonce}
        forceColorScheme={skin === 'dark' ? 'dark' : 'light'}
      >
        <Look>{children}</Look>
      </MantineProvider>
    </DirectionProvider>
  )
}
