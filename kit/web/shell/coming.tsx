import { useMemo } from 'react'
import { matchRoutes, useNavigation } from 'react-router'
import { useLanguage } from '../i18n/language.ts'
import { loadedScreen } from '../router/load.tsx'
import { SCREENS, screenAt, titleOf } from '../router/screens.ts'
import type { ScreenInfo } from '../router/screens.ts'
import { Page } from './page.tsx'
import css from './coming.module.css'

const ROUTES = SCREENS.map(({ path }) => ({ path, id: path }))

/** The screen somebody goes to while its code is still being fetched; null when nobody goes anywhere, or it is there. */
export function useComing(): ScreenInfo | null {
  const { state, location } = useNavigation()
  const pathname = state === 'loading' ? location.pathname : null
  return useMemo(() => {
    const id = pathname && matchRoutes(ROUTES, pathname)?.at(-1)?.route.id
    const screen = id ? screenAt(id) : undefined
    return screen && screen.layout !== 'full' && !loadedScreen(screen) ? screen : null
  }, [pathname])
}

const bones = (count: number, className: string | undefined) =>
  Array.from({ length: count }, (_, i) => <span key={i} className={className} />)

/** What stands there at once when somebody goes to a screen: its title, and the shape of what comes. */
export function Coming({ screen }: { screen: ScreenInfo }) {
  const l = useLanguage()
  const { kind } = screen
  // A record is named after itself, not after its screen.
  return (
    <Page
      coming
      wide={kind !== 'add' && kind !== 'edit'}
      title={kind === 'show' ? null : titleOf(screen, l)}
      subtitle={'\u00A0'}
    >
      <div className={css.coming} aria-busy="true" data-kind={kind ?? 'own'}>
        {kind === 'show' ? (
          <>
            <span className={css.band} />
            <span className={css.card} />
          </>
        ) : kind === 'add' || kind === 'edit' ? (
          <div className={css.form}>{bones(8, css.field)}</div>
        ) : (
          <>
            <span className={css.bar} />
            <div className={css.table}>{bones(12, css.row)}</div>
          </>
        )}
      </div>
    </Page>
  )
}
