type Split<P extends string> = P extends `${infer A}/${infer B}` ? A | Split<B> : P
type Required_<S extends string> = S extends `:${string}?` ? never : S extends `:${infer N}` ? N : never
type Optional_<S extends string> = S extends `:${infer N}?` ? N : never
/** Parameters of a path: `:id` is asked for, `:page?` may be left out. */
export type PathParams<P extends string> = { [N in Required_<Split<P>>]: string | number } & {
  [N in Optional_<Split<P>>]?: string | number | null
}
/** Query of an address; absent and empty values are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * Address of a screen.
 * @example to('/students/:id', { id: 7 }); to('/settings/faculties/:page?'); to('/offerings', {}, { term: 3 })
 */
export function to<const P extends string>(
  path: P,
  ...[params, query]: {} extends PathParams<P>
    ? [params?: PathParams<P>, query?: Query]
    : [params: PathParams<P>, query?: Query]
): string {
  return fillPath(path, params, query)
}

/** `to` for paths known only at run time. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}, query: Query = {}): string {
  const filled = path
    .split('/')
    .map((segment) => {
      const name = /^:(\w+)\??$/.exec(segment)?.[1]
      if (!name) return segment
      const value = params[name]
      if (value === undefined || value === null || value === '') {
        if (!segment.endsWith('?')) throw new Error(`${path} needs ${name}`)
        return null
      }
      return encodeURIComponent(String(value))
    })
    .filter((segment) => segment !== null)
    .join('/')
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return (filled || '/') + (text && `?${text}`)
}

/** Whether an address inside this application may be gone to after signing in: never another site. */
export const isOwnAddress = (address: string | null | undefined): address is string =>
  Boolean(address) && /^\/(?![/\\])/.test(address!) && !address!.startsWith('/login')

/** Records are numbered: `/services/NaN` or `/services/undefined` is a wrong address, and nothing is asked for it. */
export const isRecord = (id: string | undefined): boolean => id === undefined || /^\d{1,10}$/.test(id)
