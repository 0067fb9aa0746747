import { createRoot } from 'react-dom/client'
import { hasUserCookie, loadMe, userInCookie } from '../auth/me.ts'
import { ApiError } from '../api/error.ts'
import { setClientHooks } from '../api/client.ts'
import { Failed } from '../feedback/problems.tsx'
import { forgetPersonal } from '../store.ts'
import { loadTexts, setLanguage } from '../i18n/catalogue.ts'
import { preferredLanguage } from '../i18n/language.ts'
import { fetchOnFirstSign } from '../later.ts'
import { forgetKept, keep, keptAnswer } from '../offline/kept.ts'
import { noteLine, watchLine } from '../offline/line.ts'
import type { AreaLoaders, PlainResources, Outlets } from '../router/load.tsx'
import { setAreas } from '../router/load.tsx'
import { loadTitles } from '../router/screens.ts'
import { setSearchedResources } from '../shell/searched.ts'
import { fetchLetters } from '../theme/letters.ts'
import { Themed } from '../theme/themed.tsx'
import { loadUniversity } from '../theme/university.ts'
import { makeApplication } from './application.tsx'

/** Starts the application: it fetches texts and the session together, then the first screen. */
export async function start({
  areas,
  plain,
  outlets,
  searched,
}: {
  areas: AreaLoaders
  plain: PlainResources
  outlets: Outlets
  searched: readonly string[]
}): Promise<void> {
  setAreas(areas, plain, outlets)
  setSearchedResources(searched)
  const l = preferredLanguage()
  setClientHooks({
    language: () => l,
    line: noteLine,
    keep: (call, input, answer) => void keep(call, input, answer),
    kept: keptAnswer,
  })
  watchLine()
  const root = createRoot(document.getElementById('root')!)
  // Before anything is told, by whose clock: it comes with the texts, which are awaited anyway.
  const university = loadUniversity()
  fetchOnFirstSign()
  // Texts come first: without them nothing can be said, not even what failed.
  const session = hasUserCookie() ? loadMe() : Promise.resolve(false)
  // A browser that was closed over a session, and is opened again by somebody.
  if (!hasUserCookie()) forgetPersonal()
  else void forgetKept(userInCookie())
  session.catch(() => undefined)
  await Promise.all([loadTexts('kit', l).then(() => setLanguage(l)), loadTitles(l), university])
  try {
    await session
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 503)) {
      root.render(
        <Themed>
          <Failed error={error} retry={() => window.location.reload()} />
        </Themed>,
      )
      return
    }
    window.history.replaceState(null, '', '/pages/miscellaneous/under-maintenance')
  }
  root.render(makeApplication())
  fetchLetters()
  const keepApplication = async () => (await import('../offline/worker.ts')).startWorker()
  keepApplication().catch(() => undefined)
}
