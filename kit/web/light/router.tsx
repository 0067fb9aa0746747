/**
 * What light pages use of `react-router`, under the same names: there are a handful of them, and whatever else is opened
 * begins the application itself. The build puts it in the place of the library (`apps/build/light.ts`).
 */
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { openedBy } from '#kit/contract/address.ts'

interface Place {
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly state: null
  readonly key: string
}
type To = string | { readonly pathname?: string; readonly search?: string; readonly hash?: string }
interface How {
  readonly replace?: boolean
}
interface Router {
  readonly place: Place
  readonly path: string | null
  readonly params: Readonly<Record<string, string>>
  readonly go: (to: To | number, how?: How) => void
}
const RouterContext = createContext<Router | null>(null)
const useRouter = (): Router => {
  const router = use(RouterContext)
  if (!router) throw new Error('outside the router')
  return router
}

const here = (): Place => {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash, state: null, key: pathname }
}
const addressOf = (to: To): string =>
  typeof to === 'string'
    ? to
    : `${to.pathname ?? window.location.pathname}${to.search ? `?${to.search.replace(/^\?/, '')}` : ''}${to.hash ?? ''}`

/** Around everything. `paths`: the screens that are here. */
export function LightRouter({ paths, children }: { readonly paths: readonly string[]; readonly children: ReactNode }) {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const follow = () => setPlace(here())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = useCallback(
    (to: To | number, { replace }: How = {}) => {
      if (typeof to === 'number') return history.go(to)
      const url = new URL(addressOf(to), window.location.href)
      // Everything else is the application's, or another site's.
      if (url.origin !== window.location.origin || !openedBy(paths, url.pathname)) {
        return replace ? window.location.replace(url) : window.location.assign(url)
      }
      history[replace ? 'replaceState' : 'pushState'](null, '', url)
      setPlace(here())
    },
    [paths],
  )
  const router = useMemo(() => {
    const opened = openedBy(paths, place.pathname)
    return { place, path: opened?.path ?? null, params: opened?.params ?? {}, go }
  }, [place, paths, go])
  return <RouterContext value={router}>{children}</RouterContext>
}

/** The path of the screen that stands there. */
export const useOpenedPath = (): string | null => useRouter().path
export const useParams = (): Readonly<Record<string, string>> => useRouter().params
export const useLocation = (): Place => useRouter().place
export const useMatches = (): readonly never[] => []
export function useNavigate() {
  const { go } = useRouter()
  return useCallback(async (to: To | number, how?: How): Promise<void> => go(to, how), [go])
}
type Search = URLSearchParams | Readonly<Record<string, string>>
export function useSearchParams() {
  const { place, go } = useRouter()
  const query = useMemo(() => new URLSearchParams(place.search), [place.search])
  const set = (next: Search | ((had: URLSearchParams) => Search), how?: How) => {
    const wanted = new URLSearchParams(typeof next === 'function' ? next(query) : next).toString()
    go(`${window.location.pathname}${wanted && `?${wanted}`}`, how)
  }
  return [query, set] as const
}

/** A press that opens something in another place is the browser's. */
const isPlain = (event: MouseEvent<HTMLAnchorElement>, target: string | undefined): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  (!target || target === '_self') &&
  !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)

export function Link({
  to,
  replace,
  reloadDocument,
  onClick,
  children,
  ...rest
}: Omit<ComponentPropsWithRef<'a'>, 'href'> & { to: To; replace?: boolean; reloadDocument?: boolean }) {
  const { go } = useRouter()
  return (
    <a
      {...rest}
      href={addressOf(to)}
      onClick={(event) => {
        onClick?.(event)
        if (reloadDocument || !isPlain(event, rest.target)) return
        event.preventDefault()
        go(to, { replace })
      }}
    >
      {children}
    </a>
  )
}
export const NavLink = (props: ComponentPropsWithRef<typeof Link>) => <Link {...props} />
export function Navigate({ to, replace }: { to: To; replace?: boolean }) {
  const { go } = useRouter()
  useEffect(() => go(to, { replace }), [go, to, replace])
  return null
}
