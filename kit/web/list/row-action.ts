import type { ReactNode } from 'react'

/** Something that can be done with a row: in its menu, or as its one inline action. */
export interface RowAction {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** What its inline button says, in two words at most; only its icon stands there unless told. */
  readonly short?: string
  readonly tone?: 'refused'
  /** Goes there; a link can be opened beside. */
  readonly href?: string
  readonly onSelect?: () => void
  /** Why not now: the action is shown but cannot be chosen. */
  readonly disabled?: string
}
