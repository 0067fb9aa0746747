import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'

/** What hangs at a button: a menu or a panel, whose code is fetched when somebody comes near. */
export interface HangingProps {
  /** The button. */
  readonly at: HTMLElement
  /** It was pressed before the code was there. */
  readonly pressed: boolean
}
/** What the button takes. */
export interface Opening {
  readonly ref: (button: HTMLElement | null) => void
  readonly onPointerEnter: () => void
  readonly onFocus: () => void
  readonly onClick: () => void
}

/**
 * A button that opens something: it stands from the beginning, and stays the same one when the code comes. Not even the
 * menus of the shell are part of the first load.
 *
 * @example <Opens hanging={(props) => <AccountMenu {...props} me={me} />}>{(opening) => <button {...opening}>…</button>}</Opens>
 */
export function Opens({
  hanging,
  children,
}: {
  hanging: (props: HangingProps) => ReactNode
  children: (opening: Opening) => ReactNode
}) {
  const [at, setAt] = useState<HTMLElement | null>(null)
  const [wanted, setWanted] = useState<'near' | 'pressed' | null>(null)
  const near = () => setWanted((was) => was ?? 'near')
  return (
    <>
      {children({
        ref: setAt,
        onPointerEnter: near,
        onFocus: near,
        // Once it hangs there, it takes the presses itself.
        onClick: () => setWanted((was) => (at?.dataset.hangs ? was : 'pressed')),
      })}
      {at && wanted && <Suspense>{hanging({ at, pressed: wanted === 'pressed' })}</Suspense>}
    </>
  )
}
