import { lazy } from 'react'
import type { ComponentType, FunctionComponent } from 'react'

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

/**
 * A component that is fetched when it is first shown, within the nearest `Suspense`: the tabs of a detail have one.
 *
 * @example Content: part(async () => (await import('./plan.web.tsx')).Plan)
 */
export const part = <P>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> =>
  lazy(async () => ({ default: (await load()) as ComponentType<object> })) as never
