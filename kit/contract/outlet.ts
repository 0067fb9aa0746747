/**
 * A place on a screen of one area that an area above it fills: the tab with the requirements of a bylaw stands on the
 * bylaw's page, and comes from the audit of degrees, which knows bylaws and is not known by them.
 *
 * The area that has the place declares it; one other area names it among its `fills` and shows something there.
 */
export interface Outlet<Props = object> {
  /** `record.what`, unique among all areas. */
  readonly name: string
  /** What stands there is given this. Only a type. */
  readonly props?: Props
}

/**
 * Declares a place that another area fills.
 *
 * @example export const requirementsOfProgram = outlet<{ row: { id: number } }>('program.requirements')
 */
export const outlet = <Props extends object>(name: string): Outlet<Props> => ({ name })
