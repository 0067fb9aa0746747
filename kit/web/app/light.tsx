import { QueryClientProvider } from '@tanstack/react-query'
import { Component, Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { setClientHooks } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Dialogs } from '../feedback/dialogs.tsx'
import { Toasts, markTold } from '../feedback/notify.tsx'
import { Overlays } from '../feedback/overlay.tsx'
import { loadTexts, setLanguage } from '../i18n/catalogue.ts'
import { language, preferredLanguage } from '../i18n/language.ts'
import { fetchOnFirstSign, part } from '../later.ts'
import { LightRouter, useLocation, useOpenedPath, useParams } from '../light/router.tsx'
import { noteLine, onLineBack, watchLine } from '../offline/line.ts'
import { areaWebOf, setAreaWebs } from '../router/filled.tsx'
import type { AreaLoaders, Outlets } from '../router/filled.tsx'
import { SCREENS } from '../router/screens.ts'
import type { ScreenInfo } from '../router/screens.ts'
import { fetchLetters } from '../theme/letters.ts'
import { Themed } from '../theme/themed.tsx'
import { loadUniversity } from '../theme/university.ts'
import { CookieBanner } from './cookie-banner.tsx'
import { BrokenPage, Waiting } from './pages/broken.tsx'

const PATHS = SCREENS.map(({ path }) => path)

async function fetchScreen({ path, area }: ScreenInfo): Promise<ComponentType> {
  const [screen] = await Promise.all([(await areaWebOf(area))?.screens?.[path]?.(), loadTexts(area)])
  if (!screen) throw new Error(`nothing shows ${path}`)
  return screen.default
}
const VIEWS = new Map(SCREENS.map((screen) => [screen.path, part(() => fetchScreen(screen))]))

/** What failed while it was shown is told; everything typed so far is on the server. */
class Guarded extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override componentDidCatch(error: unknown): void {
    console.error(error)
    // What the server drew. `endFirst` would come with every light page, and is for the few that have such a thing.
    document.getElementById('first')?.remove()
  }
  override render(): ReactNode {
    return this.state.broken ? <BrokenPage /> : this.props.children
  }
}
function Opened() {
  const path = useOpenedPath()
  const { pathname } = useLocation()
  const View = path === null ? undefined : VIEWS.get(path)
  // Pages of one record are turned within its screen.
  const { page: _page, name: _name, ...params } = useParams()
  // Never reached by a link: the server gave this page for the address.
  if (!View) throw new Error(`no light screen at ${pathname}`)
  return (
    <Suspense fallback={<Waiting />}>
      {/* Another record begins the screen afresh, as in the application. */}
      {/* oxlint-disable-next-line react/static-components -- made once, kept for good */}
      <View key={Object.values(params).join('/')} />
    </Suspense>
  )
}

/** Starts a light page: texts, the university's name, and the one screen that was asked for, all at once. */
export async function startLight({ areas, outlets }: { areas: AreaLoaders; outlets: Outlets }): Promise<void> {
  setAreaWebs(areas, outlets)
  const l = preferredLanguage()
  setClientHooks({
    language: () => l,
    line: noteLine,
    refused(error) {
      if (error.status !== 503 || error.errors[0]?.data?.planned !== true) return
      markTold(error)
      window.location.assign('/pages/miscellaneous/under-maintenance')
    },
  })
  watchLine()
  onLineBack(() => void queries.invalidateQueries())
  const root = createRoot(document.getElementById('root')!)
  const university = loadUniversity()
  fetchOnFirstSign()
  await Promise.all([loadTexts('kit', l).then(() => setLanguage(l)), university])
  setClientHooks({ language })
  root.render(
    <QueryClientProvider client={queries}>
      <Themed>
        <Guarded>
          <LightRouter paths={PATHS}>
            <CookieBanner />
            <Opened />
            <Toasts />
            <Dialogs />
            <Overlays />
          </LightRouter>
        </Guarded>
      </Themed>
    </QueryClientProvider>,
  )
  fetchLetters()
  // Who goes on by keyboard, or listens, is never put back to the beginning of the page.
  void import('../feedback/focus.ts').then(({ keepFocus }) => keepFocus())
}
