import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import { createBrowserRouter, Outlet, RouterProvider, useBlocker } from 'react-router'
import { setClientHooks } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { againStore, isAsked, signInAgain } from '../auth/again.ts'
import { followRecord, liveStore, loadMe, recordMeant } from '../auth/me.ts'
import { proofStore, proveAgain } from '../auth/proof.ts'
import { forgetSession, saveTarget, setSessionQueries, watchSession } from '../auth/session.ts'
import { alert, confirm, Dialogs } from '../feedback/dialogs.tsx'
import { ReasonDialogs } from '../workflow/reason.tsx'
import { markTold, Toasts } from '../feedback/notify.tsx'
import { Overlays } from '../feedback/overlay.tsx'
import { errorText, translate } from '../i18n/catalogue.ts'
import { language } from '../i18n/language.ts'
import { part } from '../later.ts'
import { onLineBack } from '../offline/line.ts'
import { makeRoutes } from '../router/routes.tsx'
import { forgetUnsaved, hasUnsaved, leaves, unsavedStore } from '../router/unsaved.ts'
import { LoadingBar, Shell } from '../shell/shell.tsx'
import { Themed } from '../theme/themed.tsx'
import { loadUniversity } from '../theme/university.ts'
import { CookieBanner } from './cookie-banner.tsx'
import { Broken, ScreenFailed, Waiting } from './pages/inline.tsx'

setSessionQueries(queries)
// With the line come the answers of now.
onLineBack(() => void queries.invalidateQueries())

/** Asks before unsaved changes are left behind. */
function LeaveGuard() {
  const unsaved = unsavedStore.use().size > 0
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsaved() && leaves(currentLocation, nextLocation),
  )
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- asked once per attempt
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const { proceed, reset } = blocker
    const ask = async () => {
      const leave = await confirm({
        title: translate('kit', 'unsaved_title'),
        consequence: translate('kit', 'unsaved_text'),
        action: translate('kit', 'leave'),
        danger: true,
      })
      if (!leave) return reset()
      forgetUnsaved()
      proceed()
    }
    void ask()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once per attempt
  }, [blocker.state])
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  return null
}

const ProofDialog = part(async () => (await import('../auth/proof-dialog.tsx')).ProofDialog)
function Proof() {
  return (
    proofStore.use() && (
      <Suspense>
        <ProofDialog />
      </Suspense>
    )
  )
}

const AgainDialog = part(async () => (await import('../auth/again-dialog.tsx')).AgainDialog)
function Again() {
  return (
    againStore.use() && (
      <Suspense>
        <AgainDialog />
      </Suspense>
    )
  )
}

function Root() {
  return (
    <>
      <LoadingBar />
      <LeaveGuard />
      <CookieBanner />
      <Outlet />
      <Toasts />
      <Dialogs />
      <ReasonDialogs />
      <Proof />
      <Again />
      <Overlays />
    </>
  )
}

/** Calls whose 401 tells nothing about the session. */
const NO_SESSION: ReadonlySet<string> = new Set(['/login', '/users/logout'])

/** Calls that ask, or say, as which record the person works. */
const NO_RECORD: ReadonlySet<string> = new Set(['/users/live-data', '/users/records/{id}', '/users/logout'])

/** What the shell does about refusals wherever they happen; the caller gets every error as well. */
function connectClient(go: (address: string, replace?: boolean) => void): void {
  setClientHooks({
    language,
    record: ({ path }) => (NO_RECORD.has(path as string) ? null : recordMeant()),
    async proveAgain(error) {
      const given = await proveAgain(error.code === 'second_factor_again')
      // Who does not want to has nothing more to be told.
      if (!given) markTold(error)
      return given
    },
    async signInAgain(error, call) {
      const over = error.code === 'session_expired' || error.code === 'not_signed_in'
      if (!over || !liveStore.get() || NO_SESSION.has(call.path as string)) return false
      // What only reads is asked again after signing in anew; what changes, and what is not saved yet, would be lost.
      const changes = call.method !== 'GET' && !call.reads
      return changes || hasUnsaved() || isAsked() ? signInAgain() : false
    },
    redirected: () => tellSurvey(go),
    // An old link leads to the record as it stands today, under its own address.
    merged(from, into) {
      const parts = window.location.pathname.split('/')
      const place = parts.indexOf(from)
      if (place > 0) go(`${parts.with(place, into).join('/')}${window.location.search}`, true)
    },
    refused(error, call) {
      const path = call.path as string
      if (error.code === 'record_switched') return followRecord()
      if (
        error.body.redirect_to === 'dashboard' ||
        (error.body.data as { redirect_to?: string } | undefined)?.redirect_to === 'dashboard'
      ) {
        markTold(error)
        return tellSurvey(go)
      }
      if (error.code === 'you are in readonly mode' || error.code === 'assignSuperAdminUnauthorized') {
        markTold(error)
        void alert({ title: translate('kit', 'refused_title'), text: errorText(error) })
        return
      }
      // Closed for maintenance; the database being away is told where one works.
      if (error.status === 503 && error.errors[0]?.data?.planned === true && path !== '/login') {
        markTold(error)
        void loadUniversity()
        return go('/pages/miscellaneous/under-maintenance')
      }
      if (error.status === 401 && liveStore.get() && !NO_SESSION.has(path)) {
        markTold(error)
        const ended = error.code === 'session_expired' || error.code === 'not_signed_in'
        if (ended) {
          saveTarget(window.location.pathname + window.location.search)
          forgetUnsaved()
          forgetSession()
        }
        return go(`/pages/miscellaneous/not-authorized${ended ? '?reason=session' : ''}`)
      }
      // A 404 that says nothing is a wrong address, not a missing record.
      if (error.status === 404 && !error.body.message && !error.body.name) {
        markTold(error)
        go('/error-404', true)
      }
    },
  })
}
function tellSurvey(go: (address: string) => void): void {
  go('/')
  void alert({ title: translate('kit', 'refused_title'), text: translate('kit', 'survey_first') })
}

/** The session has run out while something is unsaved: who comes back to this tab signs in over it. */
function holdUnsaved(): boolean {
  if (!hasUnsaved()) return false
  // Whatever asks the server next is told that the session is over, and asks to sign in.
  loadMe().catch(() => undefined)
  return true
}

const RELOADED = 'ems.reloaded'
/**
 * Code that cannot be fetched is told where it belongs, with a way to try again. Only when there is a newer build, whose
 * server keeps that code no more, the page is fetched anew: once, and never over something unsaved.
 */
async function afterUpdate(): Promise<void> {
  if (hasUnsaved() || Date.now() - Number(sessionStorage.getItem(RELOADED)) < 60_000) return
  const built = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  const page = await fetch('/', { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : null),
    () => null,
  )
  if (page === null || !built || page.includes(built) || hasUnsaved()) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  window.location.reload()
}

/** The whole application; made once, after texts and the session are known. */
export function makeApplication(): ReactNode {
  const router = createBrowserRouter(makeRoutes({ Shell, Root, Failure: ScreenFailed, Waiting, Broken }))
  const go = (address: string, replace = false) => void router.navigate(address, { replace })
  connectClient(go)
  watchSession((reason) => {
    forgetUnsaved()
    if (reason === 'idle') saveTarget(window.location.pathname + window.location.search)
    go(reason === 'idle' ? '/login?reason=idle' : '/login', true)
  }, holdUnsaved)
  window.addEventListener('vite:preloadError', () => void afterUpdate())
  return (
    <QueryClientProvider client={queries}>
      <Themed>
        <RouterProvider router={router} />
      </Themed>
    </QueryClientProvider>
  )
}
