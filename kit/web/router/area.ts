import type { ComponentType } from 'react'
import type { Outlet } from '#kit/contract/outlet.ts'
import type { AnyCall, SendArgs } from '../api/client.ts'
import type { Me } from '../auth/me.ts'
import type { WaitingKind } from '../offline/waiting.ts'
import type { ResourceWeb } from '../fields/resource-web.ts'

/** A module whose default export is a screen. Parameters and state come from the address. */
export interface ScreenModule {
  readonly default: ComponentType
}
/** What an area shows in a place of another's screen. */
export interface Filling {
  readonly outlet: string
  readonly load: () => Promise<ComponentType<never>>
}
/**
 * Fills a place of another area's screen.
 *
 * @example fills: [fill(requirementsOfProgram, async () => (await import('./panel.web.tsx')).RequirementsOfProgram)]
 */
export const fill = <Props extends object>(of: Outlet<Props>, load: () => Promise<ComponentType<Props>>): Filling => ({
  outlet: of.name,
  load: load as unknown as Filling['load'],
})

/** A call that is asked ahead, exactly as its screen asks it. */
export interface AheadCall {
  readonly call: AnyCall
  readonly input?: object
}
/** The same, with the input checked. */
export const ahead = <C extends AnyCall>(call: C, ...[input]: SendArgs<C>): AheadCall => ({
  call,
  input,
})

/** What an area shows in the browser. */
export interface AreaWeb {
  /** Name of the area, as in its contract: also the name of its catalogue. */
  readonly area: string
  /** Own screens by path, exactly as declared by `screen(path, …)` or the resource. A path given here wins over the generic screen. */
  readonly screens?: Readonly<Record<string, () => Promise<ScreenModule>>>
  /**
   * Resources whose screens are the generic ones, by name of the resource; the module's default export says what differs
   * (`resourceWeb(faculty)` when nothing does).
   */
  readonly resources?: Readonly<Record<string, () => Promise<{ readonly default: ResourceWeb }>>>
  /** What its offline screens ask for: kept before the line is gone, also where nobody has opened them yet. */
  readonly ahead?: (me: Me) => Promise<readonly AheadCall[]>
  /** How changes are sent that were made without a line, by kind (`grading.marks`). */
  readonly waiting?: Readonly<Record<string, () => Promise<{ readonly default: WaitingKind<never> }>>>
  /** What it shows in places of other areas' screens: those that its contract names under `fills`. */
  readonly fills?: readonly Filling[]
}

/**
 * Declares the web side of an area. Every entry is loaded only when somebody opens it.
 * @example
 * export default defineAreaWeb({
 *   area: 'catalogue',
 *   screens: { '/bylaws/:id': () => import('./bylaws/bylaw.web.tsx') },
 *   resources: { faculty: () => import('./faculties/faculty.web.ts') },
 * })
 */
export const defineAreaWeb = (definition: AreaWeb): AreaWeb => definition
