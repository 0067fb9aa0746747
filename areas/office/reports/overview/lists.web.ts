import { useMe } from '#kit/web/auth/index.ts'
import { screenAt } from '#kit/web/router/index.ts'

type Filters = Readonly<Record<string, unknown>>
export interface Lists {
  /** Address of a list narrowed by filters; null where there is no such list for the reader. */
  (path: string, filters: Filters): string | null
  /** Offerings of the control term: the list of control, or of offerings for who has no control. */
  control(filters: Filters): string | null
}

/** Where figures lead. A list of which the address takes a page (`/:id?`) is found by its path without it. */
export function useLists(): Lists {
  const { may } = useMe()
  const to = (path: string, filters: Filters): string | null => {
    const screen = screenAt(path) ?? screenAt(`${path}/:id?`)
    return screen && may(screen.permission) ? `${path}?filters=${encodeURIComponent(JSON.stringify(filters))}` : null
  }
  return Object.assign(to, {
    control: (filters: Filters) => to('/control/offerings', filters) ?? to('/offerings', filters),
  })
}
