import { createElement, Suspense, use, useState } from 'react'
import type { ComponentType, FunctionComponent } from 'react'
import { PartFailed } from './feedback/part-failed.tsx'

/**
 * Code of a control that most readers of a screen never open: fetched when they are about to, and then used without
 * React's waiting, so that a panel opens whole, at its size, with the focus where it belongs.
 *
 * @example const inputs = later(() => import('./filters.tsx'))
 * onPointerEnter={inputs.ahead}
 * onClick={() => inputs.then(() => setOpen(true))}
 * {open && <inputs.now.Panel />}
 */
export function later<M>(load: () => Promise<M>) {
  let module: M | undefined
  const fetched = async (): Promise<M> => (module ??= await load())
  return {
    /** What was fetched: to be used only after `fetched`. */
    get now(): M | undefined {
      return module
    },
    fetched,
    /** Fetches without use yet; a failure is met when it is wanted. */
    ahead: (): void => {
      fetched().catch(() => undefined)
    },
  }
}

/** What is fetched at the first sign; null: there was one. */
let awaited: Set<() => void> | null = new Set()
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'click'] as const
/** What is fetched ahead comes with the first sign that somebody does something: it is there before it is wanted. */
export function fetchOnFirstSign(): void {
  const fetchAll = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, fetchAll, true)
    const all = awaited
    awaited = null
    all?.forEach((fetchAhead) => fetchAhead())
  }
  for (const sign of SIGNS) window.addEventListener(sign, fetchAll, { capture: true, passive: true })
}

/**
 * A component that is fetched when it is first shown, within the nearest `Suspense`: the tabs of a detail have one. When it
 * cannot be fetched, a card in its place offers to try again; the screen around it stays as it is. `ahead`: it is fetched
 * once somebody does something at all, because any press may show it.
 *
 * @example Content: part(async () => (await import('./plan.web.tsx')).Plan)
 */
export function part<P>(
  load: () => Promise<ComponentType<P>>,
  { ahead = false }: { readonly ahead?: boolean } = {},
): FunctionComponent<P> {
  // Kept here: a component that waits for its code keeps nothing itself.
  let coming: Promise<{ readonly Loaded: ComponentType<P> | null }> | undefined
  const fetched = () =>
    (coming ??= load().then(
      (Loaded) => ({ Loaded }),
      (error: unknown) => {
        console.error(error)
        return { Loaded: null }
      },
    ))
  if (ahead) {
    // What could not be fetched ahead is fetched when it is wanted.
    const fetchAhead = () => void fetched().then(({ Loaded }) => Loaded || (coming = undefined))
    if (awaited) awaited.add(fetchAhead)
    else fetchAhead()
  }
  return function Part(props: P) {
    const [, setAttempt] = useState(0)
    const { Loaded } = use(fetched())
    if (Loaded) return createElement(Loaded as ComponentType<object>, props as object)
    return createElement(PartFailed, {
      retry: () => {
        coming = undefined
        setAttempt((n) => n + 1)
      },
    })
  }
}

/**
 * A dialog that is fetched when it is first opened: the screen beneath stays as it is meanwhile, where `part` alone would have the nearest
 * `Suspense` show its bones in place of the whole screen.
 *
 * @example const MoveDialog = partDialog(async () => (await import('./move.web.tsx')).default)
 */
export function partDialog<P>(...given: Parameters<typeof part<P>>): FunctionComponent<P> {
  const Part = part<P>(...given) as FunctionComponent<object>
  return function PartDialog(props: P) {
    return createElement(Suspense, { fallback: null }, createElement(Part, props as object))
  }
}
