import { PAGE_SIZES } from '#kit/web/list/address.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import type { OwnAsked } from './choices.rules.ts'
import { ownInAddress, sameAsked } from './edit.rules.ts'
import type { OwnCellAsked } from './own.contract.ts'

/** A figure that is open to its rows. */
export type OpenFigure = Pick<OwnCellAsked, 'measure' | 'row' | 'column' | 'before'>
const SHOWN = ['both', 'table', 'chart'] as const

/**
 * What stands in the address of an own report: how it is put together, where that is not as it was saved; how it is shown;
 * the figure that is open. So it can be gone back, and sent to somebody.
 */
export function useOwnAddress(saved: OwnAsked, savedShown: (typeof SHOWN)[number]) {
  const [address, setAddress] = useSearchParams()
  const asked = ownInAddress(address.get('q')) ?? saved
  const shown = SHOWN.find((one) => one === address.get('shown')) ?? savedShown
  const at = (changes: Readonly<Record<string, string | null>>): URLSearchParams => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name)
      else next.set(name, value)
    return next
  }
  const put = (next: OwnAsked) =>
    setAddress(at({ q: sameAsked(next, saved) ? null : JSON.stringify(next), cell: null, page: null }), {
      replace: true,
    })
  let cell: OpenFigure | null = null
  try {
    cell = JSON.parse(address.get('cell') ?? 'null') as OpenFigure | null
  } catch {
    // An address that somebody cut.
  }
  return {
    asked,
    shown,
    changed: !sameAsked(asked, saved) || shown !== savedShown,
    put,
    show: (next: (typeof SHOWN)[number]) =>
      setAddress(at({ shown: next === savedShown ? null : next }), { replace: true }),
    /** As it was saved. */
    back: () => setAddress(at({ q: null, shown: null, cell: null, page: null }), { replace: true }),
    cell: cell && asked.measures.includes(cell.measure) ? cell : null,
    page: Math.max(1, Math.min(100_000, Number(address.get('page')) || 1)),
    perPage: PAGE_SIZES.find((size) => String(size) === address.get('perPage')) ?? 25,
    toCell: (next: OpenFigure | null): string => `?${at({ cell: next && JSON.stringify(next), page: null })}`,
    toPage: (page: number) => setAddress(at({ page: String(page) })),
    toSize: (rows: number) => setAddress(at({ page: null, perPage: String(rows) })),
  }
}
export type OwnAddress = ReturnType<typeof useOwnAddress>
