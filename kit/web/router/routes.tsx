import { redirect, useLoaderData, useNavigation, useParams, useRevalidator } from 'react-router'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { liveStore, may, opens } from '../auth/me.ts'
import { saveTarget } from '../auth/session.ts'
import { homePath } from './home.ts'
import { loadScreen, loadedScreen } from './load.tsx'
import { isRecord } from './paths.ts'
import { SCREENS } from './screens.ts'
import type { ScreenInfo } from './screens.ts'

/** Screens that are skipped by whoever is already signed in. */
const ONLY_SIGNED_OUT = new Set(['/login', '/forgot-password'])

interface Loaded {
  readonly screen: ScreenInfo
  readonly error?: unknown
}

const comesBack = (query: URLSearchParams): boolean => query.has('state') && (query.has('code') || query.has('error'))

/** The return of a sign-in provider may come to any address: it belongs to the sign-in page. */
const providerReturn = ({ pathname, searchParams, search }: URL): string | null =>
  pathname !== '/login' && comesBack(searchParams) ? `/login${search}` : null

const parts = (path: string): number => path.split('/').filter(Boolean).length
/** `/my_thing/:id?` with the id is a thing of somebody else: only without it the reader needs a record of the own. */
const namesAnother = (screen: ScreenInfo, url: URL): boolean =>
  screen.path.endsWith('?') && parts(url.pathname) === parts(screen.path)

/** Who may go where. Everything else a screen needs is asked by the screen. */
export function guard(screen: ScreenInfo, url: URL): string | null {
  const signedIn = liveStore.get() !== null
  // Who is signed in comes back from a provider as well: an identity is linked.
  if (signedIn && ONLY_SIGNED_OUT.has(screen.path) && !comesBack(url.searchParams)) return homePath()
  if (namesAnother(screen, url) ? may(screen.permission) : opens(screen)) return null
  if (signedIn) return '/pages/miscellaneous/not-authorized'
  const back = providerReturn(url)
  if (back) return back
  saveTarget(url.pathname + url.search)
  return '/login'
}

let again = false

/** What a screen is about: another record begins it afresh, another page of the same list does not. */
const itemOf = ({ page: _page, ...rest }: Readonly<Record<string, string | undefined>>): string =>
  Object.values(rest).join('/')

export interface Frames {
  /** Menu, bars and what stands around most screens. */
  readonly Shell: ComponentType
  /** What stands around everything. */
  readonly Root: ComponentType
  readonly Failure: ComponentType<{ error: unknown; retry: () => void }>
  readonly Waiting: ComponentType
  /** Shown when a screen breaks while it is shown. */
  readonly Broken: ComponentType
}

/** The routes of the application: one per declared screen, each fetched when it is opened. */
export function makeRoutes({ Shell, Root, Failure, Waiting, Broken }: Frames): RouteObject[] {
  function ScreenHost() {
    const { screen, error } = useLoaderData<Loaded>()
    const { revalidate, state } = useRevalidator()
    const params = useParams()
    const Component = loadedScreen(screen)
    if (error || !Component) {
      const retry = () => {
        again = true
        void revalidate().finally(() => {
          again = false
        })
      }
      return state === 'loading' ? <Waiting /> : <Failure error={error} retry={retry} />
    }
    return (
      <Suspense fallback={<Waiting />}>
        {/* oxlint-disable-next-line react/static-components -- made once when it was fetched, kept for good */}
        <Component key={itemOf(params)} />
      </Suspense>
    )
  }
  const routeOf = (screen: ScreenInfo): RouteObject => ({
    id: screen.path,
    path: screen.path,
    element: <ScreenHost />,
    errorElement: <Broken />,
    loader: async ({ request, params }: LoaderFunctionArgs): Promise<Loaded | Response> => {
      if (!isRecord(params.id)) return redirect('/error-404')
      const elsewhere = guard(screen, new URL(request.url))
      if (elsewhere) return redirect(elsewhere)
      try {
        await loadScreen(screen)
        return { screen }
      } catch (error) {
        return { screen, error }
      }
    },
    // A screen stays as it is while its query changes: lists keep their state in the address.
    shouldRevalidate: () => again,
  })
  return [
    {
      element: <Root />,
      hydrateFallbackElement: <Waiting />,
      errorElement: <Broken />,
      children: [
        {
          path: '/',
          loader: ({ request }) => redirect(providerReturn(new URL(request.url)) ?? homePath()),
          element: null,
        },
        ...SCREENS.filter((s) => s.layout === 'full').map(routeOf),
        {
          id: 'shell',
          element: <Shell />,
          children: [
            ...SCREENS.filter((s) => s.layout !== 'full').map(routeOf),
            // Who is signed in keeps the menu, and the address, which may be mended there.
            {
              path: '*',
              loader: () => (liveStore.get() ? null : redirect('/error-404')),
              lazy: async () => ({ Component: (await import('../app/pages/unknown.tsx')).default }),
            },
          ],
        },
      ],
    },
  ]
}

/** Whether a screen is being fetched. */
export const useIsNavigating = (): boolean => useNavigation().state !== 'idle'
